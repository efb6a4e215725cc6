internal import OffstageJSON

/// A condition for the content of a ``Field``, and the message for content that does not meet it.
public struct Rule<Value> {
  /// The check of an asynchronous rule.
  struct AsyncCheck {
    let delay: Duration
    let message: @CoreActor (Value) async throws -> LocalizedText?
  }

  /// The part of the rule that JSON Schema can express, for front ends that limit input.
  let keywords: JSONObject
  /// Returns the message for content that does not meet the rule; nil for valid content.
  let message: @CoreActor (Value) -> LocalizedText?
  /// Returns true for content that more typing cannot make valid, such as one that is too long. Its
  /// message does not wait until the user has finished.
  let isExceeded: (Value) -> Bool
  var asyncCheck: AsyncCheck?

  init(
    _ keywords: JSONObject = [:], _ message: @escaping @CoreActor (Value) -> LocalizedText?,
    isExceeded: @escaping (Value) -> Bool = { _ in false }
  ) {
    self.keywords = keywords
    self.message = message
    self.isExceeded = isExceeded
  }

  /// A rule of your own. The closure returns a message for content that is not valid, or else nil.
  public static func check(_ message: @escaping @CoreActor (Value) -> LocalizedText?) -> Self {
    Self([:], message)
  }

  /// An asynchronous rule, such as one that asks a server whether a name is free.
  ///
  /// It runs whenever the content has changed and meets the other rules; the field is not valid
  /// until it has passed. It waits until typing has paused for `delay`, and new content cancels it.
  /// Until then, ``Field/isChecking`` is true. If it throws, the content counts as valid.
  public static func checkAsync(
    after delay: Duration = .milliseconds(300),
    _ message: @escaping @CoreActor (Value) async throws -> LocalizedText?
  ) -> Self {
    var rule = Self { _ in nil }
    rule.asyncCheck = AsyncCheck(delay: delay, message: message)
    return rule
  }
}

/// The content of a text field: a string, or nil for an empty one.
public protocol TextContent {
  var text: String { get }
}

extension String: TextContent {
  public var text: String { self }
}

extension Optional: TextContent where Wrapped == String {
  /// The string; empty for nil.
  public var text: String { self ?? "" }
}

extension Rule where Value: TextContent {
  /// The text must contain a character other than white space.
  public static var required: Self { required(.required) }

  /// The text must contain a character other than white space.
  public static func required(_ message: LocalizedText) -> Self {
    Self(["minLength": 1]) { value in
      value.text.unicodeScalars.allSatisfy(\.properties.isWhitespace) ? message : nil
    }
  }

  /// Limits the number of characters to a range. A text that is too long shows its message at once.
  public static func length(
    _ range: ClosedRange<Int>, _ message: LocalizedText? = nil
  ) -> Self {
    var keywords: JSONObject = range.lowerBound > 0 ? ["minLength": .int(range.lowerBound)] : [:]
    keywords["maxLength"] = .int(range.upperBound)
    return Self(keywords) { value in
      range.contains(value.text.unicodeScalars.count) ? nil : message ?? .length(range)
    } isExceeded: { value in
      value.text.unicodeScalars.count > range.upperBound
    }
  }

  /// Limits the number of characters. A text that is too long shows its message at once.
  public static func length(
    _ range: PartialRangeThrough<Int>, _ message: LocalizedText? = nil
  ) -> Self {
    length(0...range.upperBound, message)
  }

  /// The text must contain a match of a regular expression; anchor it with `^` and `$` to match the
  /// whole text. Empty content is valid: add ``required`` to reject it.
  ///
  /// The program stops if `pattern` is not a regular expression.
  // Emitted into the app, so that an app that uses no regular expressions does not link the Regex
  // runtime.
  @_alwaysEmitIntoClient
  public static func matches(
    _ pattern: String, _ message: LocalizedText, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    let regex: Regex<AnyRegexOutput>
    do { regex = try Regex(pattern) } catch {
      fatalError(
        "\"\(pattern)\" is not a regular expression: \(error)", file: fileID, line: line)
    }
    return Self.matching(pattern) { text in text.contains(regex) ? nil : message }
  }

  @usableFromInline static func matching(
    _ pattern: String, _ message: @escaping @CoreActor (String) -> LocalizedText?
  ) -> Self {
    Self(["pattern": .string(pattern)]) { value in
      value.text.isEmpty ? nil : message(value.text)
    }
  }
}

/// The content of a field for a number: a number, or nil for none.
public protocol NumberContent {
  associatedtype Number: Codable & Comparable & Sendable
  var number: Number? { get }
}

extension Int: NumberContent {
  public var number: Int? { self }
}

extension Double: NumberContent {
  public var number: Double? { self }
}

extension Optional: NumberContent where Wrapped: NumberContent {
  public var number: Wrapped.Number? { self?.number }
}

extension Rule where Value: NumberContent {
  /// Limits a number to a range, and to the multiples of a step. A number that breaks the rule shows
  /// its message at once. No number is valid.
  /// ```swift
  /// let volume = Field(0.5, .range(0...1, step: 0.05))
  /// ```
  /// The program stops if the range does not begin and end with a multiple of the step, since front
  /// ends step from one end to the other.
  public static func range(
    _ range: ClosedRange<Value.Number>, step: Value.Number? = nil,
    _ message: LocalizedText? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Self {
    let (low, high) = (JSON(encoding: range.lowerBound), JSON(encoding: range.upperBound))
    var keywords: JSONObject = ["minimum": low, "maximum": high]
    let size = step.map { JSON(encoding: $0) }
    keywords["multipleOf"] = size
    let isStep = { @Sendable (number: Value.Number) in
      size.map { isMultiple(JSON(encoding: number), of: $0) } ?? true
    }
    guard isStep(range.lowerBound), isStep(range.upperBound) else {
      fatalError(
        "\(low)...\(high) does not begin and end with a multiple of the step \(size ?? .null)",
        file: fileID, line: line)
    }
    return Self(keywords) { value in
      guard let number = value.number, !range.contains(number) || !isStep(number) else {
        return nil
      }
      return message ?? (range.contains(number) ? .step(size ?? .null) : .range(low, high))
    } isExceeded: { value in
      value.number.map { !range.contains($0) || !isStep($0) } ?? false
    }
  }

  /// Allows for the error of binary fractions: 0.3 is a multiple of 0.1.
  private static func isMultiple(_ number: JSON, of step: JSON) -> Bool {
    guard let number = number.double, let step = step.double, step > 0 else { return false }
    let count = number / step
    return abs(count - count.rounded()) <= 1e-9 * max(1, abs(count))
  }
}

extension LocalizedText {
  fileprivate static func range(_ low: JSON, _ high: JSON) -> LocalizedText {
    let (low, high) = ("\(low)", "\(high)")
    return LocalizedText {
      $0.language == "ko"
        ? "\(low)~\(high) 사이의 수를 입력해 주세요." : "Enter a number from \(low) to \(high)."
    }
  }

  fileprivate static func step(_ size: JSON) -> LocalizedText {
    let size = "\(size)"
    return LocalizedText {
      $0.language == "ko" ? "\(size)의 배수를 입력해 주세요." : "Enter a multiple of \(size)."
    }
  }

  fileprivate static let required = LocalizedText {
    $0.language == "ko" ? "입력해 주세요." : "This is required."
  }

  fileprivate static func length(_ range: ClosedRange<Int>) -> LocalizedText {
    let (low, high) = (range.lowerBound, range.upperBound)
    return LocalizedText { language in
      if language.language == "ko" {
        if low == high { return "\(high)자로 입력해 주세요." }
        return low > 0 ? "\(low)~\(high)자로 입력해 주세요." : "\(high)자 이내로 입력해 주세요."
      }
      let characters = high == 1 ? "1 character" : "\(high) characters"
      if low == high { return "Enter \(characters)." }
      return low > 0 ? "Enter \(low) to \(characters)." : "Enter at most \(characters)."
    }
  }
}
