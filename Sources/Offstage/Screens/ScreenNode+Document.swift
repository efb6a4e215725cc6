package import OffstageJSON

/// The names and paths of ports on the wire, and the screen or part in the document.
extension ScreenNode {
  /// The input at a path such as `lines/7/remove`.
  func inputOfPart(at path: Substring.UTF8View) -> (any InputPort)? {
    guard let (node, name) = node(at: path) else { return nil }
    return node.inputs.first { $0.name.utf8.elementsEqual(name) }
  }

  /// The input at a path. It may be a property of the screen or part, which is not on the wire.
  func receiver(at path: Substring.UTF8View) -> (input: any InputPort, of: ScreenNode)? {
    guard let (node, name) = node(at: path) else { return nil }
    let port =
      node.inputs.first { $0.name.utf8.elementsEqual(name) }
      ?? node.properties.first { $0.name.utf8.elementsEqual(name) }?.value.asInput
    return port.map { ($0, node) }
  }

  /// The window of the list at a path such as `lines/7/deliveries`; nil if there is no such list, or
  /// if the document has all of its rows.
  package func window(named name: JSONView) -> (any WindowPort)? {
    guard let path = name.string, let (node, name) = node(at: path.utf8[...]) else { return nil }
    return node.outputs.first { $0.name.utf8.elementsEqual(name) }?.windowPort
  }

  /// The names of all lists with a window, with `*` for the id of an element of a list.
  package var windowNames: [String] {
    outputs.filter { $0.windowPort != nil }.map(\.name) + namesInParts(\.windowNames)
  }

  private func node(
    at path: Substring.UTF8View
  ) -> (node: ScreenNode, name: Substring.UTF8View)? {
    var rest = path
    guard let first = rest.popSegment() else { return (self, path) }
    let container = outputs.first { $0.name.utf8.elementsEqual(first) } as? any ChildPort
    return container?.popNode(from: &rest)?.node(at: rest)
  }

  /// The names of all inputs, with `*` for the id of an element of a list.
  package var inputNames: [String] {
    inputs.map(\.name) + namesInParts(\.inputNames)
  }

  /// The names of all fields, with `*` for the id of an element of a list.
  package var fieldNames: [String] {
    inputs.filter { $0.asField != nil }.map(\.name) + namesInParts(\.fieldNames)
  }

  /// True if the user has begun a form: a text differs from what was saved.
  package var hasChangedText: Bool {
    inputs.contains {
      $0.valueType is any TextContent.Type && $0.asField?.isDirty == true
    }
  }

  private func namesInParts(_ names: (ScreenNode) -> [String]) -> [String] {
    outputs.flatMap { port in
      guard let container = port as? any ChildPort, let child = container.nodes.first else {
        return [String]()
      }
      return names(child).map { port.name + (container.rowTypes == nil ? "/" : "/*/") + $0 }
    }
  }

  /// The name of a port on the wire. For a port of a part, it starts with the path of the part.
  func fullName(_ name: String) -> String {
    guard let parent, let container else { return name }
    return parent.fullName("\(container.path(of: self))/\(name)")
  }

  func path(ofField name: String) -> [UInt8] { path + "/fields/\(name)".utf8 }

  func path(ofOutput name: String) -> [UInt8] {
    path + (parent == nil ? "/output/\(name)" : "/\(name)").utf8
  }

  // MARK: The document

  /// Notes a change of a port for the frame of this turn.
  func changed(_ port: any DocumentPort) {
    if port.keeperIndex >= 0 { noteKept(at: port.keeperIndex) }
    changedInDocument(port)
  }

  /// Notes a change for the frame of this turn that is not one of what the port keeps, such as a change
  /// within a part that it shows.
  func changedInDocument(_ port: any DocumentPort) {
    guard isPublished else { return }
    if port.hasChanged { return core.changedAgain() }
    port.hasChanged = true
    guard let container else { return core.changed(port) }
    changedPorts.append(port)
    container.changed(self)
  }

  package func writePorts(to writer: inout JSONWriter) {
    isPublished = true
    writer.key("output")
    writer.beginObject()
    writeOutputs(to: &writer)
    writer.endObject()
    writeFields(to: &writer)
  }

  func writePart(to writer: inout JSONWriter) {
    isPublished = true
    changedPorts = []
    writer.beginObject()
    if let partID {
      writer.key("id")
      writer.json(partID)
    }
    writeOutputs(to: &writer)
    writeFields(to: &writer)
    writer.endObject()
  }

  private func writeOutputs(to writer: inout JSONWriter) {
    for port in outputs {
      writer.key(port.name)
      port.write(to: &writer)
    }
  }

  private func writeFields(to writer: inout JSONWriter) {
    guard inputs.contains(where: { $0.asField != nil }) else { return }
    writer.key("fields")
    writer.beginObject()
    for port in inputs {
      guard let field = port.asField else { continue }
      writer.key(port.name)
      field.write(to: &writer)
    }
    writer.endObject()
  }

  /// Writes the changes of a part since the last frame.
  /// - Parameter path: The present path of the part.
  func writeChanges(to writer: inout JSONWriter, at path: [UInt8]) {
    if path != self.path {
      self.path = path
      for port in ports { port.moved() }
    }
    let changed = changedPorts
    changedPorts = []
    for port in changed { port.writeChanges(to: &writer) }
  }
}
