/// `Encoder` of one value, whose bytes go to the sink.
struct JSONValueEncoder: Encoder {
  let sink: JSONSink
  private let depth: Int

  init(sink: JSONSink) {
    self.sink = sink
    depth = sink.path.count
  }

  var codingPath: [any CodingKey] { Array(sink.path.prefix(depth)) }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    sink.begin(.object)
    return KeyedEncodingContainer(JSONKeyedEncoding(sink: sink, depth: depth))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    sink.begin(.array)
    return JSONUnkeyedEncoding(sink: sink, depth: depth)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    JSONSingleValueEncoding(sink: sink, depth: depth)
  }
}

extension JSONSink {
  /// Opens the container that the current value is. A class and its superclass may both ask for
  /// one and then share it.
  func begin(_ shape: Shape) {
    if self.shape == shape { return }
    precondition(self.shape == .nothing, "A value is encoded as two kinds of JSON.")
    self.shape = shape
    if shape == .object { writer.beginObject() } else { writer.beginArray() }
  }
}
