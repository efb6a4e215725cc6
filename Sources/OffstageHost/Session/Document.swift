internal import Offstage
internal import OffstageJSON

/// The one JSON document of a core: navigation, screens, and prompts.
@CoreActor
enum Document {
  /// Writes the whole document. Everything in it counts as published from here on.
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

  /// Writes one screen, which counts as published from here on.
  static func write(_ screen: ScreenNode, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("kind")
    writer.string(screen.kind)
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
