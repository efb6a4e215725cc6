import OffstageJSON
import OffstageTesting
import TestSupport
import Testing

@testable import Offstage

/// A front end's copy of the ports of all screens, maintained by applying the patches of the
/// ports.
@CoreActor
final class Document {
  private(set) var value: JSON = ["screens": [:]]
  /// The patch of the newest frame, as text.
  private(set) var patch = ""
  private let core: TestCore

  init(_ core: TestCore) {
    self.core = core
    core.watch { [weak self] in self?.take($0) }
  }

  /// The ports, written from scratch.
  var expected: JSON {
    var screens = JSONObject()
    for node in core.core.screens.values { screens[node.id.description] = write(node) }
    return ["screens": .object(screens)]
  }

  /// Ends the turn and compares the copy with the original.
  func check(
    _ comment: @autoclosure () -> Comment? = nil, _ location: SourceLocation = #_sourceLocation
  ) async {
    await Task.yield()
    // Writing a whole port discards its changes, so this must come after they were sent.
    #expect(value == expected, comment(), sourceLocation: location)
  }

  private func take(_ changes: Changes) {
    var writer = JSONWriter()
    writer.beginArray()
    for node in changes.opened {
      writer.add(at: Array("/screens/\(node.id)".utf8)) { $0.json(write(node)) }
    }
    for port in changes.ports { port.writeChanges(to: &writer) }
    for screen in changes.closed { writer.remove(at: Array("/screens/\(screen)".utf8)) }
    writer.endArray()
    patch = String(writer.bytes)
    do {
      try value.apply(JSON(parsing: patch))
    } catch { Issue.record("\(error) in \(patch.prefix(2_000))") }
  }

  private func write(_ node: ScreenNode) -> JSON {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("kind")
    writer.string(node.kind)
    node.writePorts(to: &writer)
    writer.endObject()
    return (try? JSONText(Array(writer.bytes)).withRoot(\.json)) ?? .null
  }
}
