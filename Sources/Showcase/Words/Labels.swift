internal import Offstage

/// The words beside screens, ports, and choices, for front ends that draw the app from its
/// description.
///
/// A key is the kind of a screen (`map`), a port (`map.sortBy`), a case of an enum
/// (`PlaceSort.distance`) or a member of a type (`PlaceRow.rating`). A key without its first part
/// (`retry`) stands for all of that name.
struct LabelTable: Sendable {
  private let entries: [String: Label]

  /// - Parameter column: The column of the catalog, from 0 for English.
  private init(column: Int) {
    let lines = labelCatalog.split(separator: "\n").compactMap { line -> (String, Label)? in
      let parts = line.split(separator: " = ")
      let texts = parts[1].split(separator: " | ")[column].split(separator: " / ").map(String.init)
      if texts[0] == "-" { return nil }
      return (String(parts[0]), Label(texts[0], placeholder: texts.dropFirst().first))
    }
    entries = Dictionary(uniqueKeysWithValues: lines)
  }

  static let english = LabelTable(column: 0)
  static let korean = LabelTable(column: 1)

  subscript(key: String) -> Label? {
    entries[key] ?? key.lastIndex(of: ".").flatMap { entries[String(key[$0...].dropFirst())] }
  }
}
