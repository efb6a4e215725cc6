import Foundation

/// Fuzzes the parsers one by one, by coverage, or a whole program by the lines that it is sent.
///
///     Fuzz lines PROGRAM SECONDS TRANSCRIPT…
///     Fuzz json|framing|transcripts|geojson|events [libFuzzer's own arguments]
///
/// The second form needs a build with `-sanitize=fuzzer`; `Tests/run --fuzz` makes one.
@main
enum Fuzz {
  static func main() throws {
    let arguments = CommandLine.arguments
    switch arguments.dropFirst().first {
    case "lines" where arguments.count > 4:
      guard let seconds = Int(arguments[3]) else {
        fail("not a number of seconds: \(arguments[3])")
      }
      let fuzzer = try LineFuzzer(program: arguments[2], transcripts: Array(arguments[4...]))
      exit(try fuzzer.run(for: .seconds(seconds)) ? 0 : 1)
    case "lines": fail("usage: Fuzz lines PROGRAM SECONDS TRANSCRIPT…")
    case let name?:
      #if FUZZING
        guard let target = ParserTarget(rawValue: name) else { fail("unknown target \"\(name)\"") }
        exit(target.run(arguments: [arguments[0]] + arguments[2...]))
      #else
        fail("target \"\(name)\" needs a build for libFuzzer; see Tests/run --fuzz")
      #endif
    case nil: fail("no target; see Tests/run --fuzz")
    }
  }

  static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("Fuzz: \(message)\n".utf8))
    exit(2)
  }
}
