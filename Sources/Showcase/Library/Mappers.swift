extension CardMatrix {
  /// Creates the matrix of all kinds of model and view. For a new kind of model, add a row to each
  /// list below; for a new kind of view, add a list.
  static func library() throws(CardMatrixError) -> CardMatrix {
    try CardMatrix(
      models: [Movie.self, WatchedMovie.self, BookmarkedMovie.self, Hobby.self, TVDrama.self],
      posters + thumbnails)
  }

  /// A poster has no room for the progress. Its badge shows that the title was started.
  private static let posters = [
    Mapper { (movie: Movie) in Poster(movie.face, badge: nil) },
    Mapper { (watched: WatchedMovie) in Poster(watched.face, badge: .play) },
    Mapper { (bookmarked: BookmarkedMovie) in Poster(bookmarked.face, badge: .star) },
    Mapper { (hobby: Hobby) in Poster(hobby.face, badge: nil) },
    Mapper { (drama: TVDrama) in
      Poster(drama.face, badge: drama.progress == nil ? nil : .play)
    },
  ]

  /// A thumbnail has no room for a badge. Its subtitle shows what is left to watch, or that a movie
  /// is bookmarked.
  private static let thumbnails = [
    Mapper { (movie: Movie) in
      Thumbnail(movie.face, subtitle: "\(movie.year) · \(movie.director)", progress: nil)
    },
    Mapper { (watched: WatchedMovie, words: Words) in
      Thumbnail(
        watched.face, subtitle: words.minutesLeft(watched.minutesLeft), progress: watched.progress)
    },
    Mapper { (bookmarked: BookmarkedMovie, words: Words) in
      Thumbnail(
        bookmarked.face,
        subtitle: bookmarked.watched.map { words.minutesLeft($0.minutesLeft) }
          ?? "\(bookmarked.movie.year) · \(words.bookmarked)",
        progress: bookmarked.progress)
    },
    Mapper { (hobby: Hobby, words: Words) in
      Thumbnail(hobby.face, subtitle: words.place(hobby.place), progress: nil)
    },
    Mapper { (drama: TVDrama, words: Words) in
      Thumbnail(
        drama.face,
        subtitle: drama.episodesLeft.map { words.episodesLeft($0, of: drama.episodes) }
          ?? "\(drama.firstYear) · \(drama.network)",
        progress: drama.progress)
    },
  ]
}

/// Maps models to cards, with one mapper for each kind of view and kind of model.
///
/// An incomplete matrix cannot be created, so a missing mapper stops the app at launch instead of
/// leaving a card blank.
struct CardMatrix: Sendable {
  /// A cell of the matrix.
  struct Pair: Hashable, Sendable {
    let style: CardStyle
    let model: String
  }

  private var mappers: [Pair: Mapper] = [:]

  /// - Throws: `CardMatrixError` for a pair of a model and a `CardStyle` with no mapper or with two.
  init(models: [any LibraryModel.Type], _ mappers: [Mapper]) throws(CardMatrixError) {
    for mapper in mappers {
      guard self.mappers.updateValue(mapper, forKey: mapper.pair) == nil else {
        throw .twoMappers(mapper.pair)
      }
    }
    for style in CardStyle.allCases {
      for model in models { _ = try mapper(Pair(style: style, model: model.kind)) }
    }
  }

  /// Returns the card of a model in one of the views, in the user's language.
  /// - Throws: `CardMatrixError` for a kind of model that is not in the matrix.
  func card(
    _ style: CardStyle, of model: any LibraryModel, _ words: Words
  ) throws(CardMatrixError) -> Card {
    let pair = Pair(style: style, model: type(of: model).kind)
    guard let card = try mapper(pair).card(model, words) else { throw .twoModels(pair) }
    return card
  }

  private func mapper(_ pair: Pair) throws(CardMatrixError) -> Mapper {
    guard let mapper = mappers[pair] else { throw .noMapper(pair) }
    return mapper
  }
}

/// One cell of the matrix: shows one kind of model in one kind of view.
struct Mapper: Sendable {
  let pair: CardMatrix.Pair
  /// Returns nil for a model of another kind.
  let card: @Sendable (any LibraryModel, Words) -> Card?

  /// - Parameter map: Returns the view of a model; its types determine the cell.
  init<View: CardView, Model: LibraryModel>(_ map: @escaping @Sendable (Model, Words) -> View) {
    pair = CardMatrix.Pair(style: View.style, model: Model.kind)
    card = { model, words in (model as? Model).map { map($0, words).card } }
  }

  /// Creates a mapper to a view without translated words.
  init<View: CardView, Model: LibraryModel>(_ map: @escaping @Sendable (Model) -> View) {
    self.init { (model: Model, _: Words) in map(model) }
  }
}

/// An error in a matrix.
enum CardMatrixError: Error, Hashable, CustomStringConvertible {
  case noMapper(CardMatrix.Pair)
  case twoMappers(CardMatrix.Pair)
  /// Two types of model have the same `kind`.
  case twoModels(CardMatrix.Pair)

  var description: String {
    switch self {
    case .noMapper(let pair):
      "no mapper from \(pair.model) to \(pair.style); add one in Mappers.swift"
    case .twoMappers(let pair):
      "two mappers from \(pair.model) to \(pair.style); remove one in Mappers.swift"
    case .twoModels(let pair):
      "two types of model have the kind \"\(pair.model)\"; rename one"
    }
  }
}
