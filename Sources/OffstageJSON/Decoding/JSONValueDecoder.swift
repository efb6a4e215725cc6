/// `Decoder` over one value of a text. It holds no state but the view: paths are found when asked.
struct JSONValueDecoder: Decoder {
  let view: JSONView
  /// An author may keep a decoder, and a view does not keep its text.
  private let text: JSONText

  init(view: JSONView) {
    self.view = view
    text = view.text
  }

  var codingPath: [any CodingKey] { view.path }

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(try JSONKeyedDecoding(view))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try JSONUnkeyedDecoding(view) }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    JSONSingleValueDecoding(view: view)
  }
}
