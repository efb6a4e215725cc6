/// The contract of a kind of view: what it shows, whatever it shows it of. No contract names a
/// model; the mappers know both sides.
public protocol CardView: Identifiable, Codable, Hashable, Sendable where ID == String {
  static var style: CardStyle { get }

  /// Where choosing it leads.
  var selection: Selection { get }
  /// Itself as a card on a shelf.
  var card: Card { get }
}
