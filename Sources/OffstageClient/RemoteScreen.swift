internal import Observation
internal import OffstageJSON

/// An open screen of the core, as an observable model.
///
/// A closed screen keeps its last content, so that it can be shown while it animates away.
@MainActor
public final class RemoteScreen: Identifiable {
  /// The id in the document.
  public nonisolated let id: String
  /// The kind of the screen, such as `signUp`.
  public nonisolated let kind: String

  var content: JSON
  private(set) weak var core: RemoteCore?
  private let everything = Mark()
  private let openness = Mark()
  private var isClosed = false
  private var marks: [Changes.Part: Mark] = [:]
  private var fields: [String: RemoteField] = [:]
  private var decoded: [ObjectIdentifier: (version: Int, value: Any?)] = [:]
  /// The number of rows of each list when its end was last shown.
  var shownEnds: [String: Int] = [:]

  init(id: String, kind: String, _ content: JSON, core: RemoteCore) {
    self.id = id
    self.kind = kind
    self.content = content
    self.core = core
  }

  // MARK: Reading

  /// False once the screen has closed.
  public var isOpen: Bool {
    openness.read()
    return !isClosed
  }

  /// The URL that opens the screen; nil if it has no address.
  public var url: String? {
    everything.read()
    return content["url"]?.string
  }

  /// The value of an output; null if the screen has no such output.
  public subscript(output: String) -> Value {
    mark(.output(output)).read()
    return Value(content["output"]?[output] ?? .null)
  }

  /// All outputs, as an object.
  public var outputs: Value {
    everything.read()
    return Value(content["output"] ?? .null)
  }

  /// Returns the outputs, decoded once per change.
  /// - Returns: nil if the outputs do not fit the type, as with a newer core. ``RemoteCore/problem`` then
  ///   says why.
  public func outputs<T: Decodable>(as type: T.Type) -> T? {
    everything.read()
    let key = ObjectIdentifier(type)
    if let (version, value) = decoded[key], version == everything.version { return value as? T }
    var value: T?
    do { value = try Value(content["output"] ?? .null).decode(type) } catch {
      core?.report("the outputs of \(kind) do not fit \(type): \(error)")
    }
    decoded[key] = (everything.version, value)
    return value
  }

  /// Returns the content of an input, which shows a write before the core has answered.
  public func field(_ name: String) -> RemoteField {
    if let field = fields[name] { return field }
    let field = RemoteField(name: name, screen: self)
    fields[name] = field
    return field
  }

  // MARK: Acting

  /// Sends a value to an input. If the core refuses it, sets ``RemoteCore/problem``.
  public func send(_ input: String, _ value: Value = nil) {
    core?.send("input", Self.params(id, input, value))
  }

  /// Sends a value to an input and waits for the response.
  /// - Parameter settle: True to wait until the core has settled.
  /// - Returns: The revision that shows the effect. The document has reached it.
  /// - Throws: ``Refusal`` or ``CoreEnded``, or `CancellationError` if the task is canceled.
  @discardableResult
  public func input(_ name: String, _ value: Value = nil, settle: Bool = false) async throws -> Int
  {
    guard let core else { throw CoreEnded(.closed) }
    let params = Self.params(id, name, value).adding(settle ? [("settle", true)] : [])
    return try await core.request("input", params)["revision"].int ?? 0
  }

  /// Says which rows of a list with a window the front end shows; see ``PortDescription/isWindow``.
  /// - Parameter name: The name of the list, or the path to a list of a part.
  /// - Returns: The positions of the rows that come: the last ones if the list ends before.
  /// - Throws: As ``input(_:_:settle:)``.
  @discardableResult
  public func window(_ name: String, first: Int, count: Int) async throws -> Range<Int> {
    guard let core else { throw CoreEnded(.closed) }
    let params = Self.params(id, name, .null)
      .adding([("first", Value(first)), ("count", Value(count))])
    let result = try await core.request("list/window", params)
    let first = result["first"].int ?? 0
    return first..<first + max(result["count"].int ?? 0, 0)
  }

  static func params(_ screen: String, _ name: String, _ value: Value) -> Value {
    // A missing value is null.
    let address = [("screen", Value(screen)), ("name", Value(name))]
    return Value(members: value.isNull ? address : address + [("value", value)])
  }

  // MARK: Frames

  func changed(_ parts: Set<Changes.Part>) {
    everything.change()
    if parts.contains(.everything) {
      for mark in marks.values { mark.change() }
    } else {
      for part in parts { marks[part]?.change() }
    }
  }

  /// Confirms the field write whose request caused a frame.
  func reconcile(_ cause: Int) {
    for field in fields.values { field.end(cause, isTaken: true) }
  }

  func close() {
    isClosed = true
    openness.change()
  }

  func mark(_ part: Changes.Part) -> Mark {
    if let mark = marks[part] { return mark }
    let mark = Mark()
    marks[part] = mark
    return mark
  }
}

/// A signal for views: reading it registers a view, changing it invalidates the view.
@MainActor
@Observable
final class Mark {
  private(set) var version = 0

  func read() { _ = version }

  func change() { version += 1 }
}
