package import Offstage
package import OffstageJSON

/// Writes what a front end of a core would get, for tests without one.
@CoreActor
package final class FrameRecorder {
  private let core: Core
  private var writer = FrameWriter()
  private var output = OutputQueue()

  /// Begins with the current document.
  package init(_ core: Core) {
    self.core = core
    record()
    _ = output.takeLines()
  }

  /// Writes the changes since the last frame.
  package func record() {
    core.publish { writer.write(&$0, of: core, to: &output) }
  }

  /// Ends the recording.
  /// - Returns: The params of the frames.
  package func finish() -> [JSON] {
    if core.hasChanges { record() }
    Self.unpublish(core)
    return output.takeLines().map { Self.parse($0)["params"] ?? .null }
  }

  /// The whole document.
  package static func document(of core: Core) -> JSON {
    var writer = JSONWriter()
    Document.write(core, to: &writer)
    unpublish(core)
    return parse(String(writer.bytes))
  }

  private static func parse(_ text: String) -> JSON {
    do { return try JSON(parsing: text) } catch {
      fatalError("the core has written invalid JSON: \(error) in \(text)")
    }
  }

  /// Without a front end, ports need not report their changes.
  private static func unpublish(_ core: Core) {
    for screen in core.openScreens { screen.isPublished = false }
    core.scope?.isPublished = false
  }
}
