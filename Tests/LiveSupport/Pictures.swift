/// Small pictures.
enum Pictures {
  /// 100 bytes.
  static let png = signature + chunk("IDAT", 68) + chunk("IEND", 0)
  static let signature: [UInt8] = [0x89] + Array("PNG\r\n\u{1a}\n".utf8)

  private static func chunk(_ type: String, _ count: Int) -> [UInt8] {
    [0, 0, 0, UInt8(count)] + Array(type.utf8) + Array(repeating: 7, count: count + 4)
  }
}
