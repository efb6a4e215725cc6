import OffstageFoundation
public import OffstageHost
import OffstageLive
import Showcase
import ShowcaseLive

extension Program {
  /// The reference app: the features of `Showcase` with the repositories of `ShowcaseLive`.
  public static let showcase = Program(
    "showcase", version: "0.1.0", options: LiveDependencies.options,
    commands: [importPlaces, removeImports, backup, check, exportSession, importSession],
    sharing: { try LiveDependencies($0) },
    forgetting: { visitor, live in try await live.forget(visitor) },
    keepingSessionsIn: \.sessions,
    app: { environment, live in try CoreBuilder.app(live.dependencies(environment)) })

  private static let importPlaces = Command(
    "import places", arguments: ["FILE"],
    help: "import the places of a GeoJSON file, plain or gzip, all or none"
  ) { environment, words, console in
    let database = try LiveDependencies.database(environment)
    defer { database.close() }
    let report = try await PlaceImport.run(
      URL(fileURLWithPath: words[0]), into: database, replacing: environment["replace"] != nil
    ) { console.show(progress: $0) }
    for line in report.lines { console.print(line) }
    if environment.keepsData {
      let directory = URL(fileURLWithPath: try environment.dataDirectory, isDirectory: true)
      console.print("data: \(directory.path(percentEncoded: false))")
    }
  }

  private static let removeImports = Command(
    "import remove", help: "remove all imported places"
  ) { environment, _, console in
    let database = try LiveDependencies.existingDatabase(environment)
    defer { database.close() }
    let count = try await PlaceImport.removeAll(from: database)
    console.print("removed \(count) \(count == 1 ? "place" : "places")")
  }

  private static let backup = Command(
    "backup", arguments: ["FILE"],
    help: "copy the database to a new file, even while the app is running"
  ) { environment, words, _ in
    let database = try LiveDependencies.databaseForReading(environment)
    defer { database.close() }
    try database.backUp(to: URL(fileURLWithPath: words[0]))
  }

  private static let exportSession = Command(
    "session export", arguments: ["FILE"],
    help: "write the data, and where the user is, to a new file"
  ) { environment, words, _ in
    let database = try LiveDependencies.databaseForReading(environment)
    defer { database.close() }
    try await SessionFile.export(
      database, state: try environment.keptState(), to: URL(fileURLWithPath: words[0]),
      hasSecrets: environment["secrets"] != nil)
  }

  private static let importSession = Command(
    "session import", arguments: ["FILE"],
    help: "make an exported session that of new directories"
  ) { environment, words, _ in
    let directory = URL(fileURLWithPath: try environment.dataDirectory, isDirectory: true)
    let state = try SessionFile.import(URL(fileURLWithPath: words[0]), into: directory)
    if let state { try environment.leaveState(state) }
  }

  private static let check = Command(
    "check", help: "check the whole database for damage"
  ) { environment, _, console in
    let database = try LiveDependencies.databaseForReading(environment)
    defer { database.close() }
    let problems = try database.problems(PlaceTables.problems)
    for problem in problems { console.print(problem) }
    let count = problems.count
    if count > 0 {
      throw StorageError(
        "the database has \(count) \(count == 1 ? "problem" : "problems"); restore a backup")
    }
    console.print("no problems found")
  }
}
