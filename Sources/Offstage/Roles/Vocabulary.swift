/// The role of an input: what a user or a front end does to send it.
package enum InputRole: String, CaseIterable {
  case trigger, lifecycle, text, choice, toggle, row, move, sort, file, value, hidden
}

/// The role of an output or an event.
package enum OutputRole: String, CaseIterable {
  case title, subtitle, busy, failure, stale, notice, progress, empty, more, condition, selection
  case options, label, sections, table, chart, hidden
}

/// The role of a member of an object, such as a row. An output of a part may have one, too.
package enum MemberRole: String, CaseIterable {
  case title, subtitle, picture, alt, badge, accessory, section, state, progress, text, hidden
}

/// The weight of an input among those of its screen.
package enum Weight: String, CaseIterable {
  case main, destructive, cancel
}

/// The purpose of a text that a user types, or of a trigger.
package enum Purpose: String, CaseIterable {
  case search, email, url, phone, long, name
  /// Of a trigger.
  case refresh
}

/// A state of a row, which it has while a member is true.
public enum RowState: String, CaseIterable, Sendable {
  /// The user has not seen it yet.
  case unread
  /// The task is done.
  case done
  /// The user has picked it.
  case selected
  /// The user cannot pick it.
  case disabled
  /// The user has marked it to find it again.
  case favorite
}

/// The use of a picture, from which a front end derives its size and shape.
public enum PictureUse: String, CaseIterable, Sendable {
  /// A person, or someone who takes part in a conversation.
  case avatar
  /// The picture that stands for a work, in its full height.
  case poster
  /// A small preview.
  case thumbnail
  /// A symbol.
  case icon
}
