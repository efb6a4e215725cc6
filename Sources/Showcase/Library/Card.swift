public import Offstage

/// A card on a shelf, in one of the kinds of view.
public enum Card: Identifiable, Hashable, Sendable {
  case poster(Poster)
  case thumbnail(Thumbnail)

  var view: any CardView {
    switch self {
    case .poster(let view): view
    case .thumbnail(let view): view
    }
  }

  public var id: String { view.id }
  public var selection: Selection { view.selection }
}

extension Card: Codable, SchemaAlternatives {
  public static var alternatives: [any Decodable.Type] { [Poster.self, Thumbnail.self] }

  /// A thumbnail has a subtitle, and a poster has none.
  public init(from decoder: any Decoder) throws {
    do { self = .thumbnail(try Thumbnail(from: decoder)) } catch {
      self = .poster(try Poster(from: decoder))
    }
  }

  /// On the wire a card is its view and nothing around it: the shelf tells the style.
  public func encode(to encoder: any Encoder) throws { try view.encode(to: encoder) }
}
