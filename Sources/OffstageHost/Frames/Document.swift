internal import Offstage
internal import OffstageJSON

/// The one JSON document of a core: navigation, screens and prompts.
enum Document {
  /// Writes all of it. From here on everything in it counts as published.
  @CoreActor
  static func write(_ core: Core, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("navigation")
    writer.json(core.navigation.json)
    writer.key("screens")
    writer.beginObject()
    for screen in core.screens.values.sorted(by: { $0.id.number < $1.id.number }) {
      writer.key(screen.id.description)
      write(screen, to: &writer)
    }
    writer.endObject()
    writer.key("prompts")
    writer.beginObject()
    for prompt in core.prompts.entries {
      writer.key(prompt.id)
      write(prompt, to: &writer)
    }
    writer.endObject()
    writer.endObject()
  }

  /// Writes one screen, which counts as published from here on.
  @CoreActor
  static func write(_ screen: ScreenNode, to writer: inout JSONWriter) {
    screen.isPublished = true
    writer.beginObject()
    writer.key("kind")
    writer.string(screen.kind)
    writer.key("output")
    writer.beginObject()
    for (name, port) in screen.outputs {
      writer.key(name)
      port.write(to: &writer)
    }
    writer.endObject()
    writer.endObject()
  }

  /// Writes one prompt.
  static func write(_ prompt: PromptBoard.Entry, to writer: inout JSONWriter) {
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
