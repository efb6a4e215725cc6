import Foundation
import Offstage
import OffstageJSON
import Testing

@Suite struct FoundationTypeTests {
  @Test func datesAreISO8601() throws {
    func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
    try check(date(1_767_225_600), #""2026-01-01T00:00:00Z""#)
    try check(date(1_767_225_600.25), #""2026-01-01T00:00:00.25Z""#)
    try check(date(-0.001), #""1969-12-31T23:59:59.999Z""#)
    try check(date(951_782_400), #""2000-02-29T00:00:00Z""#)
    try check(date(-62_167_219_200), #""0000-01-01T00:00:00Z""#)
    #expect(try decode(Date.self, #""2026-01-01T09:30:00+09:00""#) == date(1_767_227_400))
    #expect(JSON(encoding: date(253_402_300_799.9996)) == "9999-12-31T23:59:59.999Z")
    #expect(JSON(encoding: date(253_402_300_800)) == .null)
    #expect(JSON(encoding: date(-62_167_219_200.0004)) == .null)
    for text in [
      "2026-02-29T00:00:00Z", "2026-01-01", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00", "",
      "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00Zz", "２０２６-01-01T00:00:00Z",
      "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:60Z", "0000-01-01T00:00:00+00:01",
    ] {
      let error = #expect(throws: JSONMismatch.self) { try decode([Date].self, "[\"\(text)\"]") }
      #expect(error?.path == "/0")
    }
  }

  @Test func everyDayOfFourCenturiesRoundTrips() throws {
    let days = (-73_049..<73_048).map { Date(timeIntervalSince1970: Double($0) * 86_400) }
    let others = try days.filter { try decode(Date.self, JSON(encoding: $0).description) != $0 }
    #expect(others == [])
  }

  @Test func identifiersAndAddressesAreStrings() throws {
    let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    try check(try #require(UUID(uuidString: uuid)), "\"\(uuid)\"")
    try check(
      try #require(URL(string: "https://example.com/a?b#c")), #""https://example.com/a?b#c""#)
    let relative = URL(string: "a", relativeTo: URL(string: "https://example.com"))
    #expect(JSON(encoding: relative) == .null)
    #expect(throws: JSONMismatch.self) { try decode(UUID.self, #""1""#) }
    #expect(throws: JSONMismatch.self) { try decode(URL.self, "1") }
  }

  @Test func keysOfDictionariesAreNames() throws {
    let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
    try check([try #require(UUID(uuidString: uuid)): 1], "{\"\(uuid)\":1}")
    try check([Date(timeIntervalSince1970: 0): 1], #"{"1970-01-01T00:00:00Z":1}"#)
    #expect(JSON(encoding: [Date.distantFuture.addingTimeInterval(1e12): 1]) == .null)
    #expect(throws: JSONMismatch.self) { try decode([UUID: Int].self, #"{"1":1}"#) }
  }

  @Test func decimalsKeepTheirDigits() throws {
    for text in ["0", "12.5", "-0.001", "340282366920938463463374607431768211455", "0.10"] {
      let decimal = try decode(Decimal.self, "\"\(text)\"")
      #expect(decimal == Decimal(string: text))
    }
    try check(try #require(Decimal(string: "12.5")), #""12.5""#)
    try check(try #require(Decimal(string: "-1200")), #""-1200""#)
    try check(try #require(Decimal(string: "0.001")), #""0.001""#)
    #expect(JSON(encoding: Decimal.nan) == .null)
    for text in ["", "-", ".5", "1.", "1e3", "0x1", "1.2.3", "+1"] {
      #expect(throws: JSONMismatch.self) { try decode(Decimal.self, "\"\(text)\"") }
    }
  }

  @Test func bytesAreBase64() throws {
    for (text, base64) in [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ] {
      try check(Data(text.utf8), "\"\(base64)\"")
    }
    let all = Data((0...255).map { UInt8($0) })
    try check(all, "\"\(all.base64EncodedString())\"")
    for text in ["Z", "Zg", "Zg=", "Zh==", "Z===", "Zg==Zg==", "Z g="] {
      #expect(throws: JSONMismatch.self) { try decode(Data.self, "\"\(text)\"") }
    }
  }

  @Test func setsAndDictionariesAreSorted() throws {
    #expect(JSON(encoding: Set([3, 1, 20])).description == "[1,3,20]")
    #expect(JSON(encoding: Set(["b", "a"])).description == #"["a","b"]"#)
    #expect(JSON(encoding: [10: "x", 9: "y"]).description == #"{"10":"x","9":"y"}"#)
  }

  @Test func schemasSayTheFormat() throws {
    let types: [(any Decodable.Type, String)] = [
      (Date.self, #"{"type":"string","format":"date-time"}"#),
      (URL.self, #"{"type":"string","format":"uri"}"#),
      (UUID.self, #"{"type":"string","format":"uuid"}"#),
      (Decimal.self, #"{"type":"string","format":"decimal"}"#),
      (Data.self, #"{"type":"string","contentEncoding":"base64"}"#),
      (Date?.self, #"{"type":["string","null"],"format":"date-time"}"#),
    ]
    for (type, schema) in types {
      #expect(try SchemaCatalog().schema(of: type) == JSON(parsing: schema))
    }
  }

  private func check<Value: Codable & Equatable>(_ value: Value, _ text: String) throws {
    #expect(JSON(encoding: value).description == text)
    #expect(JSON(encoding: [value]).description == "[\(text)]")
    #expect(try decode(Value.self, text) == value)
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
    try JSONText(text).withRoot { try $0.decode(type) }
  }
}
