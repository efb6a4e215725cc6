import Offstage

/// A thing to do.
struct Issue: Identifiable, Codable, Hashable, Sendable {
  let id: Int
  var content: Content
  var isDone = false
  /// The order among the issues of a day.
  var position: Double
  /// Seconds since 1970.
  var updatedAt: Int

  /// The content that the editor changes.
  struct Content: Codable, Hashable, Sendable {
    var title = ""
    var notes = ""
    /// A date such as `2026-01-31`; empty for some day.
    var due = ""
    var tags: [String] = []
    var attachments: [String] = []
  }

  /// The id of its section, in the order of the sections.
  var section: String { content.due.isEmpty ? Self.someDay : content.due }
  static let someDay = "none"

  func isBefore(_ other: Issue) -> Bool { place < other.place }

  /// The place in the list.
  var place: Place { Place(section: section, position: position, id: id) }

  struct Place: Comparable {
    let section: String
    let position: Double
    let id: Int

    static func < (left: Place, right: Place) -> Bool {
      (left.section, left.position, left.id) < (right.section, right.position, right.id)
    }
  }
}

extension Issue.Place: LosslessStringConvertible {
  init?(_ text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let position = Double(parts[1]), let id = Int(parts[2]) else {
      return nil
    }
    self.init(section: String(parts[0]), position: position, id: id)
  }

  var description: String { "\(section) \(position) \(id)" }
}

struct IssueQuery: Codable, Equatable, Sendable {
  enum Filter: String, Codable, CaseIterable, Sendable { case all, active, done }

  var filter = Filter.active
  var text = ""

  func matches(_ issue: Issue) -> Bool {
    (filter == .all || issue.isDone == (filter == .done))
      && (text.isEmpty || issue.content.tags.contains(text)
        || issue.content.title.lowercased().contains(text.lowercased()))
  }
}

enum IssueError: String, Error, CustomStringConvertible {
  case notFound = "The issue is gone."
  case titleTaken = "Another issue has this title."
  case wrongPassword = "The password is wrong."
  case signedOut = "Your session has ended."
  case offline = "You are offline."

  var description: String { rawValue }
}
