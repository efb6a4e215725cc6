package import Offstage
package import OffstageJSON

/// Records the frames that a front end would get, for tests without one.
@CoreActor
package final class FrameRecorder {
  private let core: Core
  private var writer = FrameWriter()
  private var output = OutputQueue()

  package init(_ core: Core) {
    self.core = core
    record()
    _ = output.takeLines()
  }

  package func record() {
    core.publish { writer.write(&$0, of: core, to: &output) }
  }

  /// Ends the recording.
  /// - Returns: The params of the frames.
  package func finish() -> [JSON] {
    if core.hasChanges { record() }
    Self.unpublish(core)
    return output.takeLines().map { JSON(encoded: Array($0.utf8))["params"] ?? .null }
  }

  package static func document(of core: Core) -> JSON {
    var writer = JSONWriter()
    Document.write(core, to: &writer)
    unpublish(core)
    return JSON(encoded: Array(writer.bytes))
  }

  /// Without a front end, ports need not report their changes.
  private static func unpublish(_ core: Core) {
    for screen in core.openScreens { screen.isPublished = false }
    core.scope?.isPublished = false
  }
}
