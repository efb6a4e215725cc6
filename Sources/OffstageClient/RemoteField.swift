internal import OffstageJSON

/// The content of an input, updated optimistically and reconciled with the core.
///
/// Setting ``value`` shows the new value at once and sends it. Until the core has answered, the
/// newest write stays visible, whatever older content the core still sends. After that, the field
/// shows the document's content, which the core may have changed. The document masks a secret; the
/// field then shows the last write that the core accepted. A refused write is undone.
@MainActor
public final class RemoteField: Identifiable {
  /// The name of the input.
  public nonisolated let name: String
  fileprivate private(set) weak var screen: RemoteScreen?
  /// The unanswered writes with the ids of their requests, oldest first.
  private var writes: [(id: Int, value: Value)] = []
  /// The last write that the core accepted, for an input whose content is not in the document.
  private var taken = Value.null

  init(name: String, screen: RemoteScreen) {
    self.name = name
    self.screen = screen
  }

  /// The name, which is unique within the screen.
  public nonisolated var id: String { name }

  /// The content to show.
  public var value: Value {
    get {
      mark?.read()
      if let write = writes.last { return write.value }
      guard let value = content?["value"], value != Self.mask else { return taken }
      return Value(value)
    }
    set { write(newValue) }
  }

  /// The content as text; empty for null.
  public var text: String {
    get { value.string ?? "" }
    set { write(Value(newValue)) }
  }

  /// Why the core does not accept the content, as text for the user.
  public var error: String? {
    mark?.read()
    return content?["error"]?.string
  }

  /// True while the core checks the content, with a server for example.
  public var isChecking: Bool {
    mark?.read()
    return content?["isChecking"] == true
  }

  /// True while the core has not answered the newest write.
  public var isPending: Bool {
    mark?.read()
    return !writes.isEmpty
  }

  /// Stands in for a secret in the document.
  private static let mask: JSON = "••••"

  private var mark: Mark? {
    // The field of a part is in an output.
    let output = name.split(separator: "/").first.map(String.init) ?? name
    return screen?.mark(output == name ? .field(name) : .output(output))
  }

  private var content: JSON? {
    let steps = name.split(separator: "/").map(String.init)
    guard let last = steps.last, steps.count > 1 else { return screen?.content["fields"]?[name] }
    let part = steps.dropLast().reduce(screen?.content["output"]) { owner, step in
      owner?.array.map { rows in rows.first { step == RemotePart.step(to: $0["id"]) } }
        ?? owner?[step]
    }
    return part?["fields"]?[last]
  }

  /// Says that the user has left the field: ``error`` then says what is wrong with the content.
  public func check() {
    guard let screen else { return }
    screen.core?.send("field/check", RemoteScreen.params(screen.id, name, .null))
  }

  private func write(_ value: Value) {
    guard let screen, let core = screen.core else { return }
    let id = core.newID()
    writes.append((id, value))
    core.post(id, "input", RemoteScreen.params(screen.id, name, value)) {
      [weak self, weak core] result in
      switch result {
      case .success: self?.end(id, isTaken: true)
      case .failure(let error):
        self?.end(id, isTaken: false)
        core?.report(error)
      }
    }
    // Last, because an observer of the field may send something, too.
    mark?.change()
  }

  /// Ends a write. The core handles requests in order, so older writes have ended, too.
  func end(_ id: Int, isTaken: Bool) {
    guard let index = writes.firstIndex(where: { $0.id == id }) else { return }
    if isTaken {
      taken = writes[index].value
      writes.removeSubrange(...index)
    } else {
      writes.remove(at: index)
    }
    mark?.change()
  }
}

/// A field whose content has a type.
@MainActor
public struct TypedField<Content: Codable & Sendable> {
  /// The untyped field.
  public let field: RemoteField

  /// Creates a typed field from an untyped one.
  public init(_ field: RemoteField) { self.field = field }

  /// The content to show; nil if it does not fit the type. Content that JSON cannot hold is not
  /// sent; ``RemoteCore/problem`` then says why.
  public var value: Content? {
    get { try? field.value.decode() }
    nonmutating set {
      do { field.value = try newValue.map { try Value(encoding: $0) } ?? .null } catch {
        field.screen?.core?.report("\(field.name): \(error)")
      }
    }
  }

  /// Why the core does not accept the content, as text for the user.
  public var error: String? { field.error }

  /// True while the core has not answered the newest write.
  public var isPending: Bool { field.isPending }
}
