import OffstageSystem

/// Measures `bench-app` from outside, as a front end would meet it, against peers in the same run.
///
/// A ratio taken in one run on one machine says something anywhere; microseconds do not. The exit
/// status tells whether everything ran, not whether the targets were met: this is no test.
@main
enum Bench {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let options: Options
    do {
      options = try Options(arguments)
    } catch {
      printError("\(error)\n\n\(Options.help)")
      exit(2)
    }
    guard !options.wantsHelp else { return print(Options.help) }
    exit(run(options) ? 0 : 1)
  }

  /// - Returns: Whether everything that was asked for could be run.
  private static func run(_ options: Options) -> Bool {
    var report = Report()
    do {
      let workshop = try Workshop(options)
      defer { workshop.close() }
      for benchmark in Benchmark.allCases where options.only.map({ $0 == benchmark }) ?? true {
        if !options.isJSON { printError("\(benchmark.rawValue) …") }
        do {
          try benchmark.run(workshop, &report)
        } catch {
          report.fail("\(benchmark.rawValue): \(error)")
        }
      }
    } catch {
      report.fail("\(error)")
    }
    print(options.isJSON ? report.json : report.table, terminator: "")
    return report.failures.isEmpty
  }
}
