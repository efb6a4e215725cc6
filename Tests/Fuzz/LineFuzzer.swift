import Foundation
import OffstageJSON
import OffstageRPC
import TestSupport

/// Sends a program sessions of mutated lines, and checks invariants: it exits with 0, every request
/// is answered once, the frames add up to the snapshot, a recording of the session replays, and
/// memory does not grow with the number of lines.
struct LineFuzzer {
  /// The lines that one transcript sends, and the arguments of its command.
  struct Script {
    var arguments: [String]
    var lines: [[UInt8]]
  }

  let program: String
  let corpus: [Script]
  private let directory: URL

  /// - Parameter transcripts: files. Transcripts that need a network, special limits, or stored
  ///   data, or that end in an error, are skipped.
  init(program: String, transcripts: [String]) throws {
    self.program = program
    corpus = try transcripts.compactMap { path in
      let text = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      guard let command = text.first(where: { $0.hasPrefix("$ ") }) else { return nil }
      // Only a root with an argument has quotes around it.
      let quoted = command.split(separator: "'", omittingEmptySubsequences: false)
      let arguments =
        quoted[0].split(separator: " ").dropFirst(2).map(String.init)
        + (quoted.count > 1 ? [String(quoted[1])] : [])
      let unusable = ["--max", "--data", "--state", "http"]
      guard
        !arguments.contains(where: { argument in unusable.contains(where: argument.hasPrefix) }),
        quoted.count < 4, arguments.first == "--deterministic", text.contains("= exit 0")
      else { return nil }
      let lines = text.filter { $0.hasPrefix("> ") }.map { Array($0.dropFirst(2).utf8) }
      return lines.isEmpty ? nil : Script(arguments: arguments, lines: lines)
    }
    guard !corpus.isEmpty else { Fuzz.fail("no transcript can be used") }
    directory = FileManager.default.temporaryDirectory.appending(path: "offstage-fuzz-\(getpid())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  /// - Parameter first: the seed of the first session. Later sessions count up from it.
  /// - Returns: true if every session passed.
  func run(for duration: Duration, seed first: UInt64) throws -> Bool {
    let end = ContinuousClock.now + duration
    var (session, lines, responses, frames) = (UInt64(0), 0, 0, 0)
    defer {
      print("\(session) sessions, \(lines) lines, \(responses) responses, \(frames) frames")
      try? FileManager.default.removeItem(at: directory)
    }
    while ContinuousClock.now < end {
      var mutator = LineMutator(seed: first &+ session, corpus: corpus)
      let script = mutator.script()
      do {
        let checked = try check(script, replays: session % 8 == 0)
        lines += script.lines.count
        responses += checked.responses
        frames += checked.frames
        if session % 64 == 32 { try checkMemory(&mutator) }
      } catch {
        try report(error, script, seed: first &+ session)
        return false
      }
      session += 1
    }
    return true
  }

  private func check(_ script: Script, replays: Bool) throws -> SessionLog {
    let recording = directory.appending(path: "session.transcript").path
    let ending = try play(script, extra: replays ? ["--record", recording] : [])
    guard ending.status == 0 else {
      throw Failure("\(ending.cause)\n\(try text("stderr").prefix(2_000))")
    }
    let output = try Data(contentsOf: directory.appending(path: "stdout"))
    let log = try SessionLog(sent: script.lines, output: [UInt8](output))
    if replays {
      let replay = try spawn([program, "replay", recording], input: "/dev/null")
      guard replay.status == 0 else {
        throw Failure("the recording does not replay:\n\(try text("stdout").prefix(4_000))")
      }
    }
    return log
  }

  /// Checks that ten times the lines take hardly more memory. Omits lines that create accounts.
  private func checkMemory(_ mutator: inout LineMutator) throws {
    var script = mutator.script(count: 1_000, root: "signUp")
    script.lines.removeAll { String(decoding: $0, as: UTF8.self).contains("onfirm") }
    let short = try play(script)
    let lines = script.lines
    script.lines = (0..<10).flatMap { _ in lines }
    let long = try play(script)
    guard long.memory < short.memory + 16 << 20 else {
      throw Failure(
        "10 x \(lines.count) lines take \(long.memory >> 20) MiB, 1 x \(short.memory >> 20)")
    }
  }

  private func play(_ script: Script, extra: [String] = []) throws -> Ending {
    let input = directory.appending(path: "stdin")
    try Data(script.lines.joined(separator: [0x0A])).write(to: input)
    return try spawn([program] + script.arguments + extra, input: input.path)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: directory.appending(path: name)), as: UTF8.self)
  }

  /// Writes the session to the current directory, so that it can be repeated.
  private func report(_ error: any Error, _ script: Script, seed: UInt64) throws {
    let file = "fuzz-\(seed).in"
    try Data(script.lines.joined(separator: [0x0A])).write(to: URL(filePath: file))
    let arguments = script.arguments.map { $0.contains(" ") ? "'\($0)'" : $0 }
    print("FAILED: \(error)\n\(program) \(arguments.joined(separator: " ")) <\(file)")
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension LineFuzzer {
  struct Ending {
    /// The exit status as in a shell: 128 plus the number of a signal that ended the program.
    let status: Int32
    /// The peak of resident memory, in bytes.
    let memory: Int

    var cause: String { status > 128 ? "ended by signal \(status - 128)" : "exited with \(status)" }
  }

  /// Runs a program to its end, with its output in files, and kills it after a minute.
  private func spawn(_ arguments: [String], input: String) throws -> Ending {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
    for (descriptor, name) in [(1, "stdout"), (2, "stderr")] {
      let path = directory.appending(path: name).path
      posix_spawn_file_actions_addopen(
        &actions, Int32(descriptor), path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    var child: pid_t = 0
    let argv = arguments.map { strdup($0) } + [nil]
    defer { for argument in argv { free(argument) } }
    let code = posix_spawn(&child, program, &actions, nil, argv, environ)
    guard code == 0 else {
      throw Failure("cannot run \(program): \(String(cString: strerror(code)))")
    }
    let process = child
    let watchdog = DispatchWorkItem { kill(process, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
    defer { watchdog.cancel() }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(process, &status, 0, &usage) == process else { throw Failure("wait4 failed") }
    let signal = status & 0x7F
    #if os(Linux)
      let memory = usage.ru_maxrss << 10
    #else
      let memory = usage.ru_maxrss
    #endif
    return Ending(status: signal == 0 ? status >> 8 & 0xFF : 128 + signal, memory: memory)
  }
}
