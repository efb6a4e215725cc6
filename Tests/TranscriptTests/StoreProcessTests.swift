import Foundation
import TestSupport
import Testing

/// The program's rules for its data, seen from outside.
@Suite struct StoreProcessTests {
  private let shell: ProgramShell

  init() throws { shell = try ProgramShell() }

  /// A start that fails, as a shell line, with its exit status (nil for any but 0) and a part of
  /// the message.
  @Test(
    arguments: [
      ("env -u HOME -u XDG_DATA_HOME $S", nil, "HOME is not set"),
      ("env -u HOME -u XDG_DATA_HOME $S --deterministic", 0, ""),
      ("$S --data '~/x'", nil, "--data ~/x: the shell did not expand ~; use $HOME"),
      ("$S --data=~/x", nil, "--data ~/x: the shell did not expand ~; use $HOME"),
      ("$S --data \"$(printf 'a\\377')\"", nil, "not valid UTF-8"),
      ("(ulimit -n 12; $S --data a)", nil, "ulimit -n"),
      ("$S check --data missing", 1, "no such database"),
      ("$S backup b --data missing", 1, "no such database"),
      ("echo '{}' >f; $S import places f --data a", 1, "no places found"),
      ("echo x >f; $S import places f --data a", 1, "unexpected 'x'"),
      ("echo x >f; $S --data f", 1, "File exists"),
      ("$S --data a --chat-model x", 2, "--chat-model needs --chat-api"),
      // An invalid option leaves no database behind.
      ("$S --data a --image-cache x; ls a", nil, "No such file or directory"),
      ("$S --data a --avatars x; ls a", nil, "No such file or directory"),
    ] as [(String, Int32?, String)])
  func explainsWhyItCannotStart(line: String, status: Int32?, message: String) throws {
    let (exit, output) = try shell.run(line)
    #expect(
      (status.map { exit == $0 } ?? (exit != 0)),
      "\(exit): \(output)")
    #expect(
      (message.isEmpty || output.contains(message)),
      "\(exit): \(output)")
  }

  @Test func placesAreImportedFromAPipe() throws {
    let (status, output) = try shell.run(
      #"""
      printf '{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"a"},"geometry":' >f
      printf '{"type":"Point","coordinates":[1,2]}}]}' >>f
      gzip -c f | $S import places /dev/stdin --data a
      """#)
    #expect(status == 0)
    #expect(output.hasPrefix("imported 1 place\n"), "\(output)")
  }

  /// No file may grow, as on a full disk. A log that cannot be read may hold the newest data.
  @Test func databaseIsCheckedOnAFullDisk() throws {
    // Without a folder for it, ThreadSanitizer writes no file of its own when a process starts.
    let (_, output) = try shell.run(
      """
      export TMPDIR=none
      $S --data d; (ulimit -f 0; $S check --data d; $S backup b --data d)
      echo x >d/showcase.sqlite-wal; (ulimit -f 0; $S check --data d)
      """)
    let lines = output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "no problems found")
    #expect(lines.dropFirst().first?.hasSuffix("no backup was made") == true)
    #expect(lines.last?.contains("no space left on the disk") == true)
  }

  /// The log of the database must not grow past 140 blocks of 512 bytes.
  @Test func limitOnTheSizeOfFilesIsAFullDisk() throws {
    let (status, output) = try shell.run(
      #"""
      $S --deterministic --data d; ulimit -f 140; i=0
      { input() { printf '{"jsonrpc":"2.0","id":%s,"method":"input","params":{"screen":"1",%s}}\n' "$@"; }
        input 0 '"name":"didAppear","settle":true'
        while [ $i -lt 40 ]; do
          i=$((i + 1))
          input $i '"name":"bookmarkTapped","value":{"shelf":"films","card":"jaws"},"settle":true'
        done
      } | $S --deterministic --data d --root library
      """#)
    #expect(status == 0)
    #expect(output.contains(#""name":"failed","value":{"reason":"storage""#))
    #expect(output.contains(#""retryable":true"#))
    #expect(!output.contains(#""retryable":false"#))
  }

  /// In processes of its own, since all tests of a process share the umask.
  @Test(arguments: ["0", "277"]) func dataIsOnePrivateFileThatCanBeBackedUp(umask: String) throws {
    let place = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}}"#
    try Data(place.utf8).write(to: shell.directory.file("p"))
    let (exit, output) = try shell.run(
      """
      (umask \(umask); $S --data d && $S import places p --data d 2>&1) | sed "s|$PWD/||" &&
      ls -a d && stat -c %a d d/* 2>/dev/null || stat -f %Lp d d/*;
      $S backup b --data d && $S check --data d && $S import remove --data d &&
      mkdir e && cp b e/showcase.sqlite && chmod 700 e && $S import remove --data e
      """)
    #expect(exit == 0)
    #expect(
      output == """
        imported 1 place
        data: d/
        .
        ..
        showcase.sqlite
        700
        600
        no problems found
        removed 1 place
        removed 1 place

        """)
  }

  /// An account with a draft, exported after the death of its process, and shown on another machine.
  @Test(arguments: [("", "••••"), ("--secrets", "kim@example.com")])
  func sessionMovesToAnotherMachine(option: String, address: String) throws {
    let (exit, output) = try shell.run(
      """
      ask() { printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\\n' "$1" "$2"; }
      input() { ask input '{"screen":"'$1'","name":"'$2'","value":'$3',"settle":true}'; }
      S="$S --deterministic --root signUp"
      { input 1 nameText '"Kim"'; input 1 emailText '"kim@example.com"'; input 1 confirm null
      } | $S --data d --state s >/dev/null
      { input 1 nameText '"Lee"'; ask shutdown '{}'; } | $S --data d --state s >/dev/null
      $S session export x --data d --state s \(option) && stat -c %a x && ls d
      $S session export x --data d --state s 2>&1 | sed "s|$PWD/||"; $S session export y --data d
      $S session import x --data e --state t && $S check --data e && ls e t
      $S session import x --data e --state t 2>&1 | sed "s|$PWD/||"; $S backup b --data e
      $S session import b --data f --state t 2>&1 | sed "s|$PWD/||"
      ask state/snapshot '{}' | $S --data e --state t | grep -o '"nameText":{"value":"Lee"' | uniq
      sqlite() { python3 -c 'import sqlite3,sys
      for row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): print(*row)' "$@"; }
      sqlite e/showcase.sqlite 'SELECT name, email FROM accounts'
      """)
    #expect(exit == 0)
    #expect(
      output == """
        600
        showcase.sqlite
        showcase: x: File exists; no backup was made
        showcase: the command needs --state; see showcase --help
        no problems found
        e:
        showcase.sqlite

        t:
        journal
        state.json
        showcase: e/showcase.sqlite has data already; choose another directory with --data
        showcase: b is not an exported session
        "nameText":{"value":"Lee"
        Kim \(address)

        """)
  }
}
