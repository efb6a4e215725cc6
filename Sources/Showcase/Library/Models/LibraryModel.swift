/// A title of the library, of whatever kind. No model names a view; the mappers know both sides.
public protocol LibraryModel: Sendable {
  /// The name of the kind in messages, such as `movie`.
  static var kind: String { get }

  /// What every view shows of it.
  var face: CardFace { get }
  /// What its own screen tells beside that.
  var facts: [Fact] { get }

  /// The title as it is for the person: a movie that is bookmarked is another kind of model.
  func personal(_ record: PersonalRecord) -> any LibraryModel
  /// Whether a person can bookmark it.
  var canBeBookmarked: Bool { get }
}

extension LibraryModel {
  var key: String { face.key }

  public func personal(_ record: PersonalRecord) -> any LibraryModel { self }
  public var canBeBookmarked: Bool { false }
}

/// What a person has done with a title.
public struct PersonalRecord: Hashable, Sendable {
  public var isBookmarked: Bool
  /// How far it was watched, between 0 and 1; nil where it was not begun.
  public var progress: Double?

  public init(isBookmarked: Bool = false, progress: Double? = nil) {
    self.isBookmarked = isBookmarked
    self.progress = progress
  }
}

/// One line of what there is to know about a title.
public struct Fact: Identifiable, Codable, Hashable, Sendable {
  public let id: String
  public let label: String
  public let value: String

  init(_ id: String, _ label: String, _ value: String) {
    self.id = id
    self.label = label
    self.value = value
  }
}
