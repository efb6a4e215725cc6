/// Every kind of model in every kind of view: a card is a function of both.
///
/// The cells are registered, each by itself, and the matrix is complete or is not made: a pair that
/// was forgotten shows at the start of the app and not as a blank card.
public struct CardMatrix: Sendable {
  /// Which cell of the matrix: a kind of view and a kind of model.
  public struct Pair: Hashable, Sendable {
    public let style: CardStyle
    public let model: String

    public init(style: CardStyle, model: String) {
      self.style = style
      self.model = model
    }
  }

  private var mappers: [Pair: Mapper] = [:]

  /// - Parameters:
  ///   - models: all kinds of model; the kinds of view are those of `CardStyle`.
  ///   - mappers: one for each pair.
  /// - Throws: `CardMatrixError` for a pair that has no mapper, or two.
  public init(models: [any LibraryModel.Type], _ mappers: [Mapper]) throws(CardMatrixError) {
    for mapper in mappers {
      guard self.mappers.updateValue(mapper, forKey: mapper.pair) == nil else {
        throw .twoMappers(mapper.pair)
      }
    }
    for style in CardStyle.allCases {
      for model in models { _ = try mapper(Pair(style: style, model: model.kind)) }
    }
  }

  /// The card of a model in one of the views.
  /// - Throws: `CardMatrixError` for a kind of model that the matrix was not made for.
  func card(_ style: CardStyle, of model: any LibraryModel) throws(CardMatrixError) -> Card {
    let pair = Pair(style: style, model: type(of: model).kind)
    guard let card = try mapper(pair).card(model) else { throw .twoModels(pair) }
    return card
  }

  private func mapper(_ pair: Pair) throws(CardMatrixError) -> Mapper {
    guard let mapper = mappers[pair] else { throw .noMapper(pair) }
    return mapper
  }
}

/// What is wrong with a matrix.
public enum CardMatrixError: Error, Hashable, Sendable {
  case noMapper(CardMatrix.Pair)
  case twoMappers(CardMatrix.Pair)
  /// Two types of model have one name.
  case twoModels(CardMatrix.Pair)
}

extension CardMatrixError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .noMapper(let pair):
      "No mapper shows a \(pair.model) as a \(pair.style). Register one in CardMatrix.library()."
    case .twoMappers(let pair):
      "Two mappers show a \(pair.model) as a \(pair.style). Leave one in CardMatrix.library()."
    case .twoModels(let pair):
      "Two types of model are called \(pair.model). Give one of them a kind of its own."
    }
  }
}
