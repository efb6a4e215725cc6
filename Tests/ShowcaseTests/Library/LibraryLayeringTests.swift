import Testing

/// Views and models know nothing of each other; only a mapper, named after both, knows two.
@Suite struct LibraryLayeringTests {
  private static let views = ["Poster", "Thumbnail"]
  private static let models = ["Movie", "WatchedMovie", "BookmarkedMovie", "Hobby", "TVDrama"]

  @Test func noViewNamesAModel() throws {
    for source in try sources("Views") { #expect(names(source, Self.models).isEmpty, "\(source)") }
  }

  @Test func noModelNamesAView() throws {
    for source in try sources("Models") { #expect(names(source, Self.views).isEmpty, "\(source)") }
  }

  @Test func everyCellHasAFileOfItsOwn() throws {
    let cells = Self.views.flatMap { view in Self.models.map { "\(view)Of\($0).swift" } }
    let files = try sources("Mappers").map(\.name).filter { $0.contains("Of") }
    #expect(files == cells.sorted())
    for source in try sources("Mappers").filter({ cells.contains($0.name) }) {
      let (found, kinds) = (names(source, Self.views), names(source, Self.models))
      #expect(source.name == "\(found.joined())Of\(kinds.joined()).swift")
    }
  }

  private func sources(_ folder: String) throws -> [SourceFile] {
    let found = try SourceFile.all().filter {
      $0.description.hasPrefix("Showcase/Library/\(folder)/")
    }
    try #require(!found.isEmpty)
    return found
  }

  /// Which of the types a file names.
  private func names(_ source: SourceFile, _ types: [String]) -> [String] {
    let words = source.code.flatMap { $0.line.split { !$0.isLetter }.map(String.init) }
    return types.filter(words.contains)
  }
}
