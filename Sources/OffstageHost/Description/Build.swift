internal import Offstage
internal import OffstageJSON
internal import OffstageSystem

/// The build of an app that goes on from the state of this or another one, and its description.
@CoreActor
final class Build {
  private let app: AppInfo
  /// The hash of the ports and schemas; nil for an app that cannot be described.
  let schemaHash: String?
  /// Names the file of the program, and the screens that it is composed of; nil if that is unknown.
  private let program: String?
  private let keptDocuments: Int
  /// The documents that have been asked for, as JSON text by language.
  private var documents: [LanguageTag: [UInt8]] = [:]

  /// The hashes of the programs that this process has described: tests and embedded cores start many
  /// times.
  private static var known: [String: String?] = [:]

  /// Takes the hash from the state that the same program has left: describing the screens takes
  /// two thirds of a start.
  /// - Throws: `PortError` for a mistake in the declaration of a port.
  init(
    of app: App, _ info: AppInfo, startingFrom state: JSON?, keptDocuments: Int = 0
  ) throws(PortError) {
    (self.app, self.keptDocuments) = (info, keptDocuments)
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
      "version": .string(app.version), "schema": schemaHash.map { .string($0) } ?? .null,
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

  func document(of app: App, language: LanguageTag) throws -> [UInt8] {
    if let document = documents[language] { return document }
    let text = try OpenRPC.document(of: app, self.app, language: language).description
    let document = Array(text.utf8)
    if documents.count < keptDocuments { documents[language] = document }
    return document
  }

  /// A program is another one if its file was replaced, or if its options compose the app of other
  /// screens.
  private static func program(of app: App) -> String? {
    guard let file = programFile else { return nil }
    let types = app.screens.map(\.type) + [app.scope?.type].compactMap(\.self)
    // `String(reflecting:)` looks for conformances of each type first: 4% of a start.
    let parts = [file] + types.map { _typeName($0) } + app.prompts.map(\.kind)
    return parts.joined(separator: "\n").utf8.fnv1a.hexadecimal()
  }
}
