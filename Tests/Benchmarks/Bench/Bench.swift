import OffstageSystem

/// Measures `bench-app` from outside, as a front end would see it, against peers in the same run.
///
/// Ratios from one run on one machine are comparable across machines; microseconds are not. This is
/// not a test: the exit status tells whether everything ran, not whether the targets were met.
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

  /// - Returns: True if every requested benchmark ran.
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

/// The benchmarks, in the order in which they run.
enum Benchmark: String, CaseIterable {
  case scalar
  case piped
  case touch
  case edits
  case bulk
  case growth
  case window
  case stack
  case start
  case state
  case memory
  case showcase

  func run(_ workshop: Workshop, _ report: inout Report) throws {
    switch self {
    case .scalar: try measureScalar(workshop, &report)
    case .piped: try measurePiped(workshop, &report)
    case .touch: try measureTouch(workshop, &report)
    case .edits: try measureEdits(workshop, &report)
    case .bulk: try measureBulk(workshop, &report)
    case .growth: try measureGrowth(workshop, &report)
    case .window: try measureWindow(workshop, &report)
    case .stack: try measureStack(workshop, &report)
    case .start: try measureStart(workshop, &report)
    case .state: try measureState(workshop, &report)
    case .memory: try measureMemory(workshop, &report)
    case .showcase: try measureShowcase(workshop, &report)
    }
  }
}

/// The command-line options.
struct Options {
  static let help = """
    Measures bench-app from outside and prints ratios against peers of the same run.

      swift build -c release && .build/release/bench [options]

      --only NAME      scalar, piped, touch, edits, bulk, growth, window, stack, start, state,
                       memory, or showcase
      --rounds N       rounds of each measurement, 5 by default
      --app PATH       the bench-app to measure; by default the one beside this program
      --showcase PATH  the showcase to measure; by default the one beside this program
      --peers DIR      where echo.c and the Node loops are
      --json           one JSON object instead of the table

    """

  var only: Benchmark?
  var rounds = 5
  var app: String
  var showcase: String
  var peers: String
  var isJSON = false
  var wantsHelp = false

  init(_ arguments: [String]) throws {
    let products = Self.folder(of: CommandLine.arguments[0])
    app = products + "/bench-app"
    showcase = products + "/showcase"
    peers = Self.folder(of: Self.folder(of: #filePath)) + "/Peers"
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--only":
        let name = try Self.value(of: option, &rest)
        guard let benchmark = Benchmark(rawValue: name) else {
          throw BenchError.usage("unknown benchmark \(name)")
        }
        only = benchmark
      case "--rounds":
        guard let count = Int(try Self.value(of: option, &rest)), count > 0 else {
          throw BenchError.usage("--rounds needs a number above 0")
        }
        rounds = count
      case "--app": app = try Self.value(of: option, &rest)
      case "--showcase": showcase = try Self.value(of: option, &rest)
      case "--peers": peers = try Self.value(of: option, &rest)
      case "--json": isJSON = true
      case "--help", "-h": wantsHelp = true
      default: throw BenchError.usage("unknown option \(option)")
      }
    }
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws -> String {
    guard let value = rest.popFirst() else { throw BenchError.usage("\(option) needs a value") }
    return value
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[..<slash])
  }
}
