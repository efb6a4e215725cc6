package import Offstage
package import OffstageJSON

/// The one JSON document of a core: navigation, screens, and prompts.
@CoreActor
enum Document {
  /// Writes the whole document. Everything in it then counts as published.
  static func write(_ core: Core, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("navigation")
    writer.json(core.navigationJSON)
    if let scope = core.scope {
      writer.key("app")
      writer.beginObject()
      scope.writePorts(to: &writer)
      writer.endObject()
    }
    if let display = core.display.json {
      writer.key("display")
      writer.json(display)
    }
    writer.key("screens")
    writer.beginObject()
    for screen in core.openScreens {
      writer.key(screen.id.description)
      write(screen, to: &writer)
    }
    writer.endObject()
    writer.key("prompts")
    writer.beginObject()
    for prompt in core.prompts {
      writer.key(prompt.id)
      write(prompt, to: &writer)
    }
    writer.endObject()
    writer.endObject()
  }

  /// Writes one screen, which then counts as published.
  static func write(_ screen: ScreenNode, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("kind")
    writer.string(screen.kind)
    if let url = screen.url {
      writer.key("url")
      writer.string(url)
    }
    screen.writePorts(to: &writer)
    writer.endObject()
  }

  static func write(_ prompt: WaitingPrompt, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("kind")
    writer.string(prompt.kind)
    writer.key("screen")
    writer.string(prompt.screen.description)
    writer.key("params")
    writer.raw(prompt.params)
    writer.endObject()
  }
}

extension DisplaySettings {
  /// nil while the user has chosen nothing.
  var json: JSON? {
    guard self != DisplaySettings() else { return nil }
    return [
      "language": language.map { .string("\($0)") } ?? .null,
      "appearance": appearance.map { .string($0.rawValue) } ?? .null,
    ]
  }
}

/// For tests without a front end.
extension Core {
  package var document: JSON {
    var writer = JSONWriter()
    Document.write(self, to: &writer)
    return JSON(encoded: Array(writer.bytes))
  }

  /// Stops ports from reporting their changes, which only a front end needs.
  package func unpublish() {
    for screen in openScreens { screen.isPublished = false }
    scope?.isPublished = false
  }
}
