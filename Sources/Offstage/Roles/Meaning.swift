internal import OffstageJSON

/// The purpose of a value, where its name and type do not tell: the title of the screen, a state of
/// its work, an amount of money.
///
/// Pass it to an output or an event, or list it in the `meanings` of a type. An array says several
/// things at once.
/// ```swift
/// struct Output: Ports {
///   let heading = Out("", .title)
///   let isMoving = Out(false, .busy(of: \Output.songs))
///   let songs = Rows<Song>()
/// }
///
/// extension Song: SchemaAnnotated {
///   static var meanings: [PartialKeyPath<Self>: Meaning] {
///     [\.price: [.money("KRW"), .accessory], \.artist: .subtitle]
///   }
/// }
/// ```
/// The description of the app contains it, so that a front end can draw a screen that it has never
/// seen. A meaning says what a value is for, never how it looks.
public struct Meaning: ExpressibleByArrayLiteral, @unchecked Sendable {
  // Unchecked: key paths to stored properties capture nothing.
  let statements: [Statement]

  /// Combines meanings.
  public init(arrayLiteral meanings: Meaning...) {
    statements = meanings.flatMap(\.statements)
  }

  init(statements: [Statement]) { self.statements = statements }

  init(_ statement: Statement) { statements = [statement] }

  var isSecret: Bool { statements.contains { $0.keywords["x-secret"] != nil } }

  /// True if it is not for the description alone.
  var isForPort: Bool { isSecret || files != nil }

  /// The files that an input takes; nil for any.
  var files: FileChoice? { statements.lazy.compactMap(\.files).first }
}

/// One thing that an author says about a port or a member.
struct Statement {
  /// The word that the author writes, for error messages, such as `.busy`.
  let word: String
  var role: String?
  var kinds = ValueKinds.any
  /// Keywords of the schema of the value, such as its unit.
  var schema: JSONObject = [:]
  /// Keywords beside the schema.
  var keywords: JSONObject = [:]
  /// Keywords that name ports or members.
  var references: [(keyword: String, target: Reference)] = []
  var files: FileChoice?

  /// True if it names a member of the row that an input takes.
  var isOfRow: Bool {
    references.contains { if case .rowMember = $0.target { true } else { false } }
  }
}

/// The ports or members that a keyword names.
enum Reference {
  case output(AnyKeyPath)
  case outputs([AnyKeyPath])
  case input(AnyKeyPath)
  case inputs([AnyKeyPath])
  /// A member of the value, or of the elements of a list.
  case member(AnyKeyPath)
  /// A member of the row that the input takes.
  case rowMember(AnyKeyPath)
  /// A list whose row the input takes.
  case rows(RowReference)
}

/// A list, and what an input takes from its rows.
struct RowReference {
  let list: AnyKeyPath
  /// The member that is the list of the rows within a row.
  var inner: AnyKeyPath?
  /// False if `ids` are taken, or for the end of a list.
  var takesID = false
  /// The members of the value that take the id of a row, from the outermost row on.
  var ids: [AnyKeyPath] = []
  /// The member of the value that takes the id of the row below the new place.
  var before: AnyKeyPath?
  /// The members of the value that take the name of a column, and the direction.
  var column: AnyKeyPath?
  var descending: AnyKeyPath?
}

// MARK: Values

extension Meaning {
  fileprivate static func value(
    _ word: String, _ kinds: ValueKinds, _ schema: JSONObject
  ) -> Self {
    Self(Statement(word: word, kinds: kinds, schema: schema))
  }

  /// The unit of a number, such as `m`, `s`, or `dm`.
  public static func unit(_ symbol: String) -> Self {
    value(".unit", .number, ["x-unit": .string(symbol)])
  }

  /// An amount of money in a currency, such as `KRW`.
  public static func money(_ currency: String) -> Self {
    value(".money", .number, ["format": "money", "x-currency": .string(currency)])
  }

  /// A share: 0.25 is 25 %.
  public static var percent: Self { value(".percent", .number, ["format": "percent"]) }

  /// A number of seconds.
  public static var duration: Self {
    value(".duration", .number, ["format": "duration-seconds", "x-unit": "s"])
  }

  /// A point in time, as the number of seconds since 1970-01-01T00:00:00Z.
  public static var unixTime: Self {
    value(".unixTime", .number, ["format": "unix-time", "x-unit": "s"])
  }

  /// A day, such as `2026-01-31`.
  public static var date: Self { value(".date", .text, ["format": "date"]) }

  /// A time of day, such as `09:30`.
  public static var time: Self { value(".time", .text, ["format": "time"]) }

  /// A text of several lines.
  public static var longText: Self {
    value(".longText", .text, ["contentMediaType": "text/plain"])
  }

  /// A text in a subset of Markdown: paragraphs, headings, lists, bold, italic, code, and links.
  /// Front ends show everything else as text, and load nothing.
  public static var markdown: Self {
    value(".markdown", .text, ["contentMediaType": "text/markdown"])
  }

  /// A piece of a program.
  public static var code: Self { value(".code", .text, ["contentMediaType": "text/x-code"]) }

  /// The URI of a picture.
  public static var picture: Self { file(".picture", "image/*") }

  /// The URI of a picture for a use, such as an avatar.
  public static func picture(_ use: PictureUse) -> Self {
    value(
      ".picture", .text,
      ["format": "uri", "contentMediaType": "image/*", "x-picture": .string(use.rawValue)])
  }

  /// The URI of a video.
  public static var video: Self { file(".video", "video/*") }

  /// The URI of a file of a media type, such as `application/pdf`.
  public static func file(_ mediaType: String) -> Self { file(".file", mediaType) }

  private static func file(_ word: String, _ mediaType: String) -> Self {
    value(word, .text, ["format": "uri", "contentMediaType": .string(mediaType)])
  }

  /// A color, such as `#ff8800`.
  public static var color: Self { value(".color", .text, ["format": "color"]) }

  /// The range of a number. The app sends no number outside of it.
  public static func range<Number: Codable & Comparable>(_ range: ClosedRange<Number>) -> Self {
    value(
      ".range", .number,
      [
        "minimum": JSON(encoding: range.lowerBound), "maximum": JSON(encoding: range.upperBound),
      ])
  }
}
