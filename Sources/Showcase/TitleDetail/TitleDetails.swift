/// A title as its own screen shows it: the same shape for every kind of model, filled by each.
public struct TitleDetails: Codable, Hashable, Sendable {
  public let id: String
  public let title: String
  /// A portrait, as a URL that opens without the network.
  public let image: String
  /// What this kind of title has to tell, in the order to show it.
  public let facts: [Fact]

  init(_ model: any LibraryModel) {
    id = model.face.key
    title = model.face.title
    image = model.face.images.portrait
    facts = model.facts
  }
}
