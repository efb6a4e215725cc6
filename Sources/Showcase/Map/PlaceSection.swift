/// Places of one kind, as the sheet groups them; in the order of the first place of each.
public struct PlaceSection: Identifiable, Codable, Hashable, Sendable {
  /// The category, as the data spells it.
  public let id: String
  /// The same for a person: `train_station` is `Train station`.
  public let title: String

  /// The section that a place belongs to.
  init(_ place: Place) {
    id = place.category
    let words = place.category.split { $0 == "_" || $0 == "-" || $0 == " " }
    let text = words.joined(separator: " ")
    title = text.prefix(1).uppercased() + text.dropFirst()
  }
}
