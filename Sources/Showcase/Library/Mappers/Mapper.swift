/// One cell of the matrix: how one kind of view shows one kind of model.
public struct Mapper: Sendable {
  let pair: CardMatrix.Pair
  /// Nil for a model of another kind.
  let card: @Sendable (any LibraryModel) -> Card?

  /// - Parameter map: the view of a model; its types say which cell this is.
  public init<View: CardView, Model: LibraryModel>(_ map: @escaping @Sendable (Model) -> View) {
    pair = CardMatrix.Pair(style: View.style, model: Model.kind)
    card = { ($0 as? Model).map { map($0).card } }
  }
}
