import Testing

@testable import Showcase

/// Every kind of model in every kind of view, and the errors of an incomplete matrix.
@Suite struct CardMatrixTests {
  /// A model and the expected contents of both views.
  struct Row: Sendable, CustomTestStringConvertible {
    let model: any LibraryModel
    let key: String
    let title: String
    let badge: Badge.Kind?
    let subtitle: String
    let progress: Double?
    var testDescription: String { "\(type(of: model))" }
  }

  static let rows = [
    Row(
      model: Movie.jaws, key: "jaws", title: "Jaws",
      badge: nil, subtitle: "1975 · Steven Spielberg", progress: nil),
    Row(
      model: WatchedMovie(movie: .jaws, progress: 0.25), key: "jaws", title: "Jaws",
      badge: .play, subtitle: "93 min left", progress: 0.25),
    Row(
      model: BookmarkedMovie(movie: .jaws, progress: nil), key: "jaws", title: "Jaws",
      badge: .star, subtitle: "1975 · Bookmarked", progress: nil),
    Row(
      model: BookmarkedMovie(movie: .jaws, progress: 0.5), key: "jaws", title: "Jaws",
      badge: .star, subtitle: "62 min left", progress: 0.5),
    Row(
      model: Hobby.chess, key: "chess", title: "Chess",
      badge: nil, subtitle: "Anywhere", progress: nil),
    Row(
      model: TVDrama.signal, key: "signal", title: "Signal",
      badge: nil, subtitle: "2016 · tvN", progress: nil),
    Row(
      model: TVDrama.signal.personal(PersonalRecord(progress: 0.6)), key: "signal",
      title: "Signal", badge: .play, subtitle: "7 of 16 episodes left", progress: 0.6),
  ]

  @Test(arguments: rows) func posterHasABadgeAndASelection(_ row: Row) throws {
    let card = try CardMatrix.library().card(.poster, of: row.model, Words.english)
    let poster = try #require(card.view as? Poster)
    #expect(poster.id == row.key)
    #expect(poster.title == row.title)
    #expect(poster.image == "data:,\(row.key)/portrait")
    #expect(poster.badge?.kind == row.badge)
    #expect(poster.selection == Selection(key: row.key))
  }

  @Test(arguments: rows) func thumbnailHasASubtitleAndAProgress(_ row: Row) throws {
    let card = try CardMatrix.library().card(.thumbnail, of: row.model, Words.english)
    let thumbnail = try #require(card.view as? Thumbnail)
    #expect(thumbnail.id == row.key)
    #expect(thumbnail.title == row.title)
    #expect(thumbnail.image == "data:,\(row.key)/landscape")
    #expect(thumbnail.subtitle == row.subtitle)
    #expect(thumbnail.progress == row.progress)
    #expect(thumbnail.selection == Selection(key: row.key))
  }

  @Test func theTableHasEveryKind() {
    let kinds = Set(Self.rows.map { type(of: $0.model).kind })
    #expect(kinds == ["movie", "watchedMovie", "bookmarkedMovie", "hobby", "tvDrama"])
    #expect(CardStyle.allCases == [.poster, .thumbnail])
  }

  // MARK: Errors

  @Test func aMissingMapperIsAnError() {
    check(.noMapper(.init(style: .thumbnail, model: "movie")), [Movie.self], [.posterOfMovie])
    check(.noMapper(.init(style: .poster, model: "movie")), [Movie.self], [.thumbnailOfMovie])
    check(
      .noMapper(.init(style: .poster, model: "hobby")), [Movie.self, Hobby.self],
      [.posterOfMovie, .thumbnailOfMovie, .thumbnailOfHobby])
  }

  @Test func aDuplicateMapperIsAnError() {
    check(
      .twoMappers(.init(style: .poster, model: "movie")), [Movie.self],
      [.posterOfMovie, .thumbnailOfMovie, .posterOfMovie])
  }

  @Test func errorsSayWhatToDo() {
    #expect(
      "\(CardMatrixError.noMapper(.init(style: .poster, model: "hobby")))"
        == "no mapper from hobby to poster; add one in Mappers.swift")
  }

  @Test func anUnknownKindOfModelIsAnError() throws {
    let matrix = try CardMatrix(models: [Movie.self], [.posterOfMovie, .thumbnailOfMovie])
    #expect(throws: CardMatrixError.noMapper(.init(style: .poster, model: "hobby"))) {
      try matrix.card(.poster, of: Hobby.chess, Words.english)
    }
  }

  @Test func twoModelsOfOneKindAreAnError() throws {
    let matrix = try CardMatrix(models: [Movie.self], [.posterOfMovie, .thumbnailOfMovie])
    #expect(throws: CardMatrixError.twoModels(.init(style: .poster, model: "movie"))) {
      try matrix.card(.poster, of: Impostor(), Words.english)
    }
  }

  private struct Impostor: LibraryModel {
    static let kind = Movie.kind
    let face = Hobby.chess.face
    func facts(_ words: Words) -> [FactRow] { [] }
  }

  private func check(
    _ error: CardMatrixError, _ models: [any LibraryModel.Type], _ mappers: [Mapper],
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(throws: error, sourceLocation: location) { try CardMatrix(models: models, mappers) }
  }
}

extension Mapper {
  fileprivate static let posterOfMovie = Mapper { (movie: Movie) in Poster(movie.face, badge: nil) }
  fileprivate static let thumbnailOfMovie = Mapper { (movie: Movie) in
    Thumbnail(movie.face, subtitle: "", progress: nil)
  }
  fileprivate static let thumbnailOfHobby = Mapper { (hobby: Hobby) in
    Thumbnail(hobby.face, subtitle: "", progress: nil)
  }
}
