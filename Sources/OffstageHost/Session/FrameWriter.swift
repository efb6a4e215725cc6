internal import Offstage
internal import OffstageJSON

/// Writes changes as frames. Each is one line and takes the document from one revision to the next.
@CoreActor
struct FrameWriter {
  /// The start of a frame, up to its revision.
  private nonisolated static let prefix =
    "{\"jsonrpc\":\"2.0\",\"method\":\"frame\",\"params\":{\"revision\":" as StaticString

  private(set) var revision = 0
  /// True if the next frame must contain the whole document.
  var startsOver = true
  private var navigation = WrittenNavigation()
  private var display: JSON?
  private var prompts: Set<PromptID> = []
  /// The hash of the description, to be included in the next frame.
  var schema: String?

  /// Writes the next frame, or nothing if the changes cancel each other out.
  mutating func write(_ changes: inout Changes, of core: Core, to output: inout OutputQueue) {
    let start = output.writer.bytes.count
    output.writer.raw(Self.prefix)
    output.writer.int(revision + 1)
    if let cause = changes.cause {
      output.writer.fragment(",\"cause\":")
      output.writer.fragment(cause)
    }
    var hasPatch = true
    if startsOver {
      writeDocument(core, to: &output.writer)
    } else {
      hasPatch = writePatch(&changes, core, to: &output.writer)
    }
    guard hasPatch || !changes.commands.isEmpty || !changes.events.isEmpty || schema != nil else {
      output.writer.bytes.truncate(to: start)
      return
    }
    write(changes.commands, to: &output.writer)
    write(changes.events, to: &output.writer)
    if let schema = schema.take() {
      output.writer.key("schema")
      output.writer.string(schema)
    }
    output.writer.fragment("}}")
    output.endLine(from: start)
    revision += 1
    startsOver = false
  }

  /// Writes a patch that replaces the whole document.
  private mutating func writeDocument(_ core: Core, to writer: inout JSONWriter) {
    navigation = WrittenNavigation(of: core)
    display = core.display.json
    prompts = Set(core.prompts.map(\.id))
    writer.fragment(",\"patch\":[{\"op\":\"replace\",\"path\":\"\",\"value\":")
    Document.write(core, to: &writer)
    writer.fragment("}]")
  }

  /// - Returns: False if there was nothing to patch.
  private mutating func writePatch(
    _ changes: inout Changes, _ core: Core, to writer: inout JSONWriter
  ) -> Bool {
    let beginning = writer.bytes.count
    writer.fragment(",\"patch\":[")
    let start = writer.bytes.count
    for screen in changes.opened { writeScreen(screen, to: &writer) }
    if !changes.navigation.isEmpty { navigation.update(changes.navigation, core, to: &writer) }
    if changes.display { writeDisplay(core, to: &writer) }
    for port in changes.ports { port.writeChanges(to: &writer) }
    for id in changes.prompts { writePrompt(id, core, to: &writer) }
    for screen in changes.closed { writer.remove(at: Array("/screens/\(screen)".utf8)) }
    guard writer.bytes.count > start else {
      writer.bytes.truncate(to: beginning)
      return false
    }
    writer.endArray()
    return true
  }

  @inline(never)
  private func writeScreen(_ screen: ScreenNode, to writer: inout JSONWriter) {
    writer.add(at: Array("/screens/\(screen.id)".utf8)) { Document.write(screen, to: &$0) }
  }

  @inline(never)
  private mutating func writeDisplay(_ core: Core, to writer: inout JSONWriter) {
    let (old, new) = (display, core.display.json)
    func members(_ display: JSON?) -> JSONObject { display.map { ["display": $0] } ?? [:] }
    writer.changeMembers(at: [], from: members(old), to: members(new))
    display = new
  }

  @inline(never)
  private mutating func writePrompt(_ id: PromptID, _ core: Core, to writer: inout JSONWriter) {
    let path = Array("/prompts/\(id)".utf8)
    if let prompt = core.prompt(id) {
      prompts.insert(id)
      writer.add(at: path) { Document.write(prompt, to: &$0) }
    } else if prompts.remove(id) != nil {
      writer.remove(at: path)
    }
  }

  private func write(_ commands: [NavigationCommand], to writer: inout JSONWriter) {
    guard !commands.isEmpty else { return }
    writer.key("navigation")
    writer.json(.array(commands.map(\.json)))
  }

  private func write(_ events: [EventRecord], to writer: inout JSONWriter) {
    guard !events.isEmpty else { return }
    writer.key("events")
    writer.beginArray()
    for event in events {
      writer.beginObject()
      writer.key("screen")
      writer.string(event.screen.description)
      writer.key("name")
      writer.string(event.name)
      writer.key("value")
      writer.raw(event.value)
      writer.endObject()
    }
    writer.endArray()
  }
}

extension FrameWriter {
  /// Makes the next frame replace the document of an earlier process.
  mutating func goOn(after revision: Int, schema: String?) {
    (self.revision, self.schema) = (revision, schema)
    startsOver = true
  }

  /// Returns the frames among the lines, each with its revision.
  nonisolated static func frames(in lines: borrowing ByteBuffer) -> [(Int, [UInt8])] {
    lines.withUnsafeBytes { bytes in
      bytes.split(separator: 0x0A).compactMap { line in
        revision(of: line).map { ($0, Array(line)) }
      }
    }
  }

  /// Returns the revision of a frame; nil for another line.
  nonisolated static func revision(of line: some BidirectionalCollection<UInt8>) -> Int? {
    guard prefix.withUTF8Buffer({ line.starts(with: $0) }) else { return nil }
    let digits = line.dropFirst(prefix.utf8CodeUnitCount).prefix(while: \.isDigit)
    return Int(String(decoding: digits, as: UTF8.self))
  }
}

/// The navigation in the document that the front end has.
@CoreActor
private struct WrittenNavigation {
  /// The root without the screens on its stacks, as JSON, which takes a fifth of a tree's memory.
  private var root = JSON.null.encoded
  /// The screens on the stacks of the root.
  private var stacks: [[JSON]] = []
  private var presented: [JSON] = []
  private var modals: [JSON] = []

  nonisolated init() {}

  init(of core: Core) {
    readRoot(core)
    presented = core.navigation.presentedJSON(from: 0)
    modals = core.navigation.modalsJSON(from: 0)
  }

  private mutating func readRoot(_ core: Core) {
    root = core.emptyRootJSON.encoded
    stacks = core.navigation.rootStacks.map { core.navigation.screensJSON(of: $0, from: 0) }
  }

  @inline(never)
  mutating func update(
    _ extent: Navigation.Extent, _ core: Core, to writer: inout JSONWriter
  ) {
    let start = writer.bytes.count
    if extent.root {
      let old = wholeRoot
      readRoot(core)
      writer.change(at: Array("/navigation/root".utf8), from: old, to: wholeRoot)
    } else if let top = extent.top {
      let new = core.navigation.screensJSON(of: top.stack, from: top.first)
      writer.changeEnd(
        at: path(ofStack: top.stack, core), of: &stacks[top.stack], from: top.first, to: new)
    }
    if extent.presented < .max {
      let new = core.navigation.presentedJSON(from: extent.presented)
      writer.changeEnd(
        at: Array("/navigation/presented".utf8), of: &presented, from: extent.presented, to: new)
    }
    if extent.modals < .max {
      let new = core.navigation.modalsJSON(from: extent.modals)
      writer.changeEnd(
        at: Array("/navigation/modals".utf8), of: &modals, from: extent.modals, to: new)
    }
    guard writer.bytes.count > start else { return }
    let count = stacks.reduce(presented.count + modals.count) { $0 + $1.count }
    writer.keepShorter(since: start, count: count) {
      $0.replace(at: Array("/navigation".utf8)) { $0.json(core.navigationJSON) }
    }
  }

  private var wholeRoot: JSON {
    var whole = JSON(encoded: root)
    guard let tabs = whole["tabs"]?.array else {
      whole["screens"] = .array(stacks.first ?? [])
      return whole
    }
    whole["tabs"] = .array(
      zip(tabs, stacks).map { tab, screens in
        var tab = tab
        tab["screens"] = .array(screens)
        return tab
      })
    return whole
  }

  private func path(ofStack stack: Int, _ core: Core) -> [UInt8] {
    let tab = core.navigation.selectedTab == nil ? "" : "tabs/\(stack)/"
    return Array("/navigation/root/\(tab)screens".utf8)
  }
}
