internal import Offstage
internal import OffstageJSON
internal import OffstageSystem

/// The file in which a core leaves its state for the next start.
///
/// It may contain what the user has typed, so only the user can read it.
struct StateFile {
  private let directory: String
  private let app: AppInfo
  private let schemaHash: String?

  init(in directory: String, app: AppInfo, schemaHash: String?) {
    self.directory = directory
    self.app = app
    self.schemaHash = schemaHash
  }

  private var path: String { "\(directory)/state.json" }
  private static let version = 1

  /// Returns the state to start from; nil for a fresh start. A file that cannot be used is kept
  /// aside.
  func read() -> JSON? {
    guard access(path, F_OK) == 0 else { return nil }
    do {
      let bytes = try Descriptor.readFile(path)
      let text = String(validating: bytes, as: UTF8.self)
      guard let text, let state = try? JSON(parsing: text) else {
        return reject("is damaged")
      }
      guard state["version"]?.int == Self.version else { return reject("is of another version") }
      guard state["app"]?["name"]?.string == app.name else { return reject("is of another app") }
      return state
    } catch {
      return reject("cannot be read: \(error)")
    }
  }

  private func reject(_ problem: String) -> JSON? {
    let aside = path + ".rejected"
    let isKept = rename(path, aside) == 0
    StandardStreams.printError(
      "\(app.name): \(path) \(problem), so the app starts afresh"
        + (isKept ? "; the file is now \(aside)" : ""))
    return nil
  }

  /// Replaces the file, or leaves it as it is and says so.
  func write(_ state: JSON) {
    var state = state
    state["version"] = .int(Self.version)
    state["app"] = ["name": .string(app.name), "version": .string(app.version)]
    state["schema"] = schemaHash.map { .string($0) } ?? .null
    mkdir(directory, 0o700)
    let new = path + ".new"
    do throws(FileError) {
      let descriptor = try Descriptor.createPrivateFile(new)
      defer { systemClose(descriptor) }
      guard Descriptor.replace(path, by: new, descriptor, Array(state.description.utf8)) else {
        throw FileError(path)
      }
    } catch {
      unlink(new)
      StandardStreams.printError("\(app.name): cannot keep the state of the app: \(error)")
    }
  }
}

extension UserLocale {
  /// The locale in the state of a core.
  init(state: JSON, orElse other: UserLocale) {
    self.init(
      language: state["language"]?.string.flatMap { LanguageTag($0) } ?? other.language,
      timeZone: state["timeZone"]?.string.flatMap { ZoneRules.named($0) } ?? other.timeZone)
  }
}
