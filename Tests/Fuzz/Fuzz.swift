import Foundation

/// Fuzzes a whole program with mutated lines, random steps, the steps of two users, or kills, or one
/// parser guided by coverage.
///
///     Fuzz lines PROGRAM SECONDS SEED TRANSCRIPT…
///     Fuzz accounts PROGRAM SECONDS SEED
///     Fuzz walk PROGRAM STEPS SEED [OPTION…]
///     Fuzz kills PROGRAM KILLS SEED [LIBRARY]
///     Fuzz restarts PROGRAM STEPS SEED INTERVAL [OPTION…]
///     Fuzz json|framing|transcripts|geojson|events [arguments for libFuzzer]
///
/// The last form needs a build with `-sanitize=fuzzer`; `Tests/run --fuzz` makes one.
@main
enum Fuzz {
  static func main() throws {
    let arguments = CommandLine.arguments
    switch arguments.dropFirst().first {
    case "lines":
      guard arguments.count > 5, let seconds = Int(arguments[3]), let seed = UInt64(arguments[4])
      else { fail("usage: Fuzz lines PROGRAM SECONDS SEED TRANSCRIPT…") }
      let fuzzer = try LineFuzzer(program: arguments[2], transcripts: Array(arguments[5...]))
      exit(try fuzzer.run(for: .seconds(seconds), seed: seed) ? 0 : 1)
    case "accounts":
      guard arguments.count == 5, let seconds = Int(arguments[3]), let seed = UInt64(arguments[4])
      else { fail("usage: Fuzz accounts PROGRAM SECONDS SEED") }
      let fuzzer = AccountFuzzer(program: arguments[2])
      exit(try fuzzer.run(for: .seconds(seconds), seed: seed) ? 0 : 1)
    case "walk":
      guard arguments.count > 4, let steps = Int(arguments[3]), steps > 0,
        let seed = UInt64(arguments[4])
      else { fail("usage: Fuzz walk PROGRAM STEPS SEED [OPTION…]") }
      do {
        var walk = try RandomWalk(
          program: arguments[2], arguments: Array(arguments[5...]), seed: seed)
        try walk.run(steps: steps)
      } catch {
        print("FAILED with seed \(seed): \(error)")
        exit(1)
      }
      print("\(steps) steps")
    case "kills":
      guard 5...6 ~= arguments.count, let kills = Int(arguments[3]), let seed = UInt64(arguments[4])
      else { fail("usage: Fuzz kills PROGRAM KILLS SEED [LIBRARY]") }
      var killer = Killer(
        program: arguments[2], seed: seed, faults: arguments.count == 6 ? arguments[5] : nil)
      do { try killer.run(kills: kills) } catch {
        print("FAILED with seed \(seed): \(error)")
        exit(1)
      }
      print("\(kills) kills: \(killer.figures)")
    case "restarts":
      guard arguments.count > 5, let steps = Int(arguments[3]), steps > 0,
        let seed = UInt64(arguments[4]), let interval = Int(arguments[5]), interval > 0
      else { fail("usage: Fuzz restarts PROGRAM STEPS SEED INTERVAL [OPTION…]") }
      do {
        var walk = try RestartWalk(
          program: arguments[2], arguments: Array(arguments[6...]), seed: seed, interval: interval)
        defer { for line in walk.report { print(line) } }
        try walk.run(steps: steps)
      } catch {
        print("FAILED with seed \(seed): \(error)")
        exit(1)
      }
      print("\(steps) steps, restarted after every \(interval)th")
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
