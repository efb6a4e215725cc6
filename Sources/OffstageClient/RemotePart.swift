internal import OffstageJSON

/// An open screen, or a part of one at a path. Both have ports.
/// ```swift
/// let screen = RemotePart(screen, description)
/// for line in screen.parts(of: "lines") { line.send("remove") }
/// ```
@MainActor
public struct RemotePart {
  /// The screen.
  public let screen: RemoteScreen
  /// The path from the screen to the part, such as `lines/7/`; empty for the screen itself.
  public let path: String
  /// The ports.
  public let description: ScreenDescription
  let app: AppDescription
  /// The outputs of a part; nil for a screen.
  private let content: Value?

  /// Creates the screen itself.
  public init(_ screen: RemoteScreen, _ app: AppDescription) {
    (self.screen, self.app, path, content) = (screen, app, "", nil)
    description = app[screen]
  }

  private init(
    _ screen: RemoteScreen, _ app: AppDescription, _ path: String, _ description: ScreenDescription,
    _ content: Value
  ) {
    (self.screen, self.app, self.path) = (screen, app, path)
    (self.description, self.content) = (description, content)
  }

  /// The value of an output; null if there is no such output.
  public subscript(output: String) -> Value { content.map { $0[output] } ?? screen[output] }

  /// Returns the content of an input, which shows a write before the core has answered.
  public func field(_ name: String) -> RemoteField { screen.field(path + name) }

  /// Sends a value to an input. If the core refuses it, sets ``RemoteCore/problem``.
  public func send(_ input: String, _ value: Value = nil) { screen.send(path + input, value) }

  /// Sends the inputs for the end of a list, once per length of the list. Call this when the last
  /// row comes into view.
  public func showedEnd(of list: String) { screen.showedEnd(of: path + list) }

  /// Says which rows of a list with a window the front end shows.
  /// - Returns: The positions of the rows that come.
  /// - Throws: As ``RemoteScreen/input(_:_:settle:)``.
  @discardableResult
  public func window(_ list: String, first: Int, count: Int) async throws -> Range<Int> {
    try await screen.window(path + list, first: first, count: count)
  }

  /// Returns the parts that an output shows: at most one, unless it is a list. Empty for an output
  /// without parts.
  public func parts(of output: String) -> [RemotePart] {
    guard let about = partDescription(of: output) else { return [] }
    let shown = self[output]
    let rows = shown.array
    return (rows ?? [shown]).filter { !$0.isNull }.map { part in
      let step = rows == nil ? "" : Self.step(to: part["id"].json) + "/"
      return RemotePart(screen, app, path + "\(output)/" + step, about, part)
    }
  }

  /// Returns the step of a path to the part with an id in a list.
  nonisolated static func step(to id: JSON?) -> String {
    JSONPointer.escape(id?.string ?? (id ?? .null).description)
  }

  /// The description of the parts that an output shows; nil for an output without parts.
  public func partDescription(of output: String) -> ScreenDescription? {
    description.children.first { $0.output == output }.flatMap { app.parts[$0.part] }
  }

  /// Returns the part at a path, such as `lines/7/`, or this one for its own path; nil if it is gone.
  public func part(at path: String) -> RemotePart? {
    if path == self.path { return self }
    return description.children.lazy.flatMap { parts(of: $0.output) }
      .first { path.hasPrefix($0.path) }?.part(at: path)
  }
}
