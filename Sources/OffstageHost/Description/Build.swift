internal import Offstage
internal import OffstageJSON
internal import OffstageSystem

/// The build of an app: the one that has left a state, or the one that goes on from it.
struct Build {
  let version: String
  /// The hash of the ports and schemas; nil for an app that cannot be described.
  let schemaHash: String?
  /// Names the file of the program, and the screens that it is composed of; nil if that is unknown.
  private let program: String?

  /// The hashes of the programs that this process has described: tests and embedded cores start many
  /// times.
  @CoreActor private static var known: [String: String?] = [:]

  /// Takes the hash from the state that the same program has left: describing the screens takes
  /// two thirds of a start.
  /// - Parameters:
  ///   - app: The app.
  ///   - version: Its version.
  ///   - state: The state to start from; nil for none.
  /// - Throws: `PortError` for a mistake in the declaration of a port.
  @CoreActor
  init(of app: App, version: String, startingFrom state: JSON?) throws(PortError) {
    self.version = version
    program = Self.program(of: app)
    if let program, let saved = state?["build"], saved["program"]?.string == program {
      schemaHash = saved["schema"]?.string
    } else if let program, let known = Self.known[program] {
      schemaHash = known
    } else {
      schemaHash = try SchemaHash.of(app)
      if let program { Self.known[program] = .some(schemaHash) }
    }
  }

  /// What a state says of the build that has left it.
  var json: JSON {
    var object: JSONObject = [
      "version": .string(version), "schema": schemaHash.map { .string($0) } ?? .null,
    ]
    object["program"] = program.map { .string($0) }
    return .object(object)
  }

  /// Returns the version of the other build that has left a state; nil for this build.
  func other(of state: JSON) -> String? {
    let (saved, json) = (state["build"], json)
    let isSame = saved?["version"] == json["version"] && saved?["schema"] == json["schema"]
    return isSame ? nil : saved?["version"]?.string ?? ""
  }

  /// A program is another one if its file was replaced, or if its options compose the app of other
  /// screens.
  @CoreActor
  private static func program(of app: App) -> String? {
    guard let file = programFile else { return nil }
    let types = app.screens.map(\.type) + [app.scope?.type].compactMap(\.self)
    // `String(reflecting:)` looks for conformances of each type first: 4% of a start.
    let parts = [file] + types.map { _typeName($0) } + app.prompts.map(\.kind)
    return SchemaHash.fnv1a(parts.joined(separator: "\n").utf8)
  }
}
