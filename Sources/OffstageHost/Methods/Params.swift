internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// The params of one request, read member by member. Errors name the place and what was expected.
struct Params {
  private let view: JSONView?

  /// - Parameter view: An empty array stands for no params, as some libraries send it.
  /// - Throws: An "invalid params" error for any other array, since every method takes its params by
  ///   name.
  init(_ view: JSONView?) throws(RPCError) {
    if let view, !view.isObject, view.count > 0 {
      throw Self.invalid("", expected: "object", found: view.kind.name)
    }
    self.view = view
  }

  func value(_ name: StaticString) -> JSONView? { view?.member(name) }

  /// Returns a string without copying it.
  func stringView(_ name: StaticString) throws(RPCError) -> JSONView {
    guard let value = value(name) else { throw missing(name, "string") }
    guard value.isString else { throw wrong(name, "string", value) }
    return value
  }

  func string(_ name: StaticString) throws(RPCError) -> String {
    try stringView(name).string ?? ""
  }

  func int(_ name: StaticString, in range: ClosedRange<Int>) throws(RPCError) -> Int {
    let expected = "integer from \(range.lowerBound) to \(range.upperBound)"
    guard let value = value(name) else { throw missing(name, expected) }
    if let number = value.int, range.contains(number) { return number }
    throw Self.invalid(
      "/\(name)",
      JSONMismatch(
        path: "", expected: expected, found: value.kind.name,
        value: value.kind == .number ? value.excerpt : nil))
  }

  /// - Returns: nil for a member that is missing or null.
  @inline(__always)  // Every input looks up members that most inputs lack.
  func decode<T: Decodable>(_ name: StaticString, _ type: T.Type) throws(RPCError) -> T? {
    guard let value = value(name), !value.isNull else { return nil }
    do { return try value.decode(type) } catch { throw Self.invalid("/\(name)", error) }
  }

  /// Reads the members `locale` and `timeZone`; a missing one keeps its current value.
  func locale(orElse current: UserLocale) throws(RPCError) -> UserLocale {
    var locale = current
    if let text = try decode("locale", String.self) {
      guard let language = LanguageTag(text) else {
        throw Self.invalid(
          "", JSONMismatch(path: "/locale", expected: "BCP 47 language tag", text: text))
      }
      locale.language = language
    }
    if let text = try decode("timeZone", String.self) {
      guard let zone = ZoneRules.named(text) else {
        let expected = "time zone, such as Asia/Seoul or +09:00"
        throw Self.invalid("", JSONMismatch(path: "/timeZone", expected: expected, text: text))
      }
      locale.zone = zone
    }
    return locale
  }

  func missing(_ name: StaticString, _ expected: String) -> RPCError {
    Self.invalid("/\(name)", expected: expected, found: "nothing")
  }

  func wrong(_ name: StaticString, _ expected: String, _ value: JSONView) -> RPCError {
    Self.invalid("/\(name)", expected: expected, found: value.kind.name)
  }

  static func invalid(_ path: String, expected: String, found: String) -> RPCError {
    invalid(path, JSONMismatch(path: "", expected: expected, found: found))
  }

  static func invalid(_ path: String, _ mismatch: JSONMismatch) -> RPCError {
    let path = path + mismatch.path
    var data: JSONObject = [
      "path": .string(path), "expected": .string(mismatch.expected),
      "found": .string(mismatch.found),
    ]
    if let value = mismatch.value { data["value"] = try? JSON(parsing: value) }
    return RPCError(
      .invalidParams,
      "Invalid params: expected \(mismatch.expected) at \(path.isEmpty ? "params" : path), "
        + "found \(mismatch.value ?? mismatch.found)",
      data: .object(data))
  }
}
