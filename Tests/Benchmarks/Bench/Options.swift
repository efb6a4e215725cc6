/// What the command line asks for.
struct Options {
  static let help = """
    Measures bench-app from outside and prints ratios against peers of the same run.

      swift build -c release && .build/release/bench [options]

      --only NAME   scalar, piped, touch, edits or start
      --rounds N    rounds of each measurement, 5 by default
      --app PATH    the bench-app to measure; by default the one beside this program
      --peers DIR   where echo.c and the Node loops are
      --json        one JSON object instead of the table

    """

  var only: Benchmark?
  var rounds = 5
  var app: String
  var peers: String
  var isJSON = false
  var wantsHelp = false

  init(_ arguments: [String]) throws {
    app = Self.folder(of: CommandLine.arguments[0]) + "/bench-app"
    peers = Self.folder(of: Self.folder(of: #filePath)) + "/Peers"
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--only":
        let name = try Self.value(of: option, &rest)
        guard let benchmark = Benchmark(rawValue: name) else {
          throw BenchError.usage("there is no benchmark \(name)")
        }
        only = benchmark
      case "--rounds":
        guard let count = Int(try Self.value(of: option, &rest)), count > 0 else {
          throw BenchError.usage("--rounds needs a number above 0")
        }
        rounds = count
      case "--app": app = try Self.value(of: option, &rest)
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
