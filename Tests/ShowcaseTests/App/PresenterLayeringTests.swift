import Foundation
import Testing

/// What the article asks of its layers, read off the sources: the compiler sees to the rest, as a
/// presenter cannot call what the protocols that it holds do not have.
@Suite struct PresenterLayeringTests {
  private static let presenters = (try? SourceFile.all())!.filter {
    $0.layer == "Showcase" && $0.name.hasSuffix("Presenter.swift")
  }

  @Test func everyScreenOfTheArticleHasItsPresenter() {
    #expect(
      Set(Self.presenters.map(\.name)) == [
        "CategoryListPresenter.swift", "ChatPresenter.swift", "ChatsPresenter.swift",
        "CreateAccountPresenter.swift", "CreateAvatarPresenter.swift",
        "CustomModalPresenter.swift", "DevSettingsPresenter.swift", "ExplorePresenter.swift",
        "ProfilePresenter.swift", "SettingsPresenter.swift",
      ])
  }

  /// No presenter names who stands behind its protocols, shows a screen by itself, asks by itself,
  /// or knows another presenter.
  @Test(arguments: presenters)
  func seesNoMoreThanItsOwnProtocols(_ presenter: SourceFile) {
    let own = presenter.name.dropLast("Presenter.swift".count)
    for (number, line) in presenter.code {
      for name in line.matches(of: /\b[A-Z]\w*(Interactor|Router|Presenter|Builder)\b/) {
        #expect(
          name.output.0.hasPrefix(own), "\(presenter):\(number) names \(name.output.0)")
      }
      for name in ["Router()", "Prompts()", "Dependencies", "PresentationStyle", "Transition"] {
        #expect(!line.contains(name), "\(presenter):\(number) names \(name)")
      }
    }
  }

  /// One interactor and one router conform to all, by extensions without a body.
  @Test(arguments: ["Interactor", "Router"])
  func theCoreConformsByEmptyExtensions(part: String) throws {
    let files = try SourceFile.all().filter {
      $0.layer == "Showcase" && $0.name.hasSuffix("\(part).swift") && !$0.name.hasPrefix("Core")
    }
    #expect(files.count >= 9)
    for file in files {
      let name = file.name.dropLast(".swift".count)
      let extensions = file.code.map(\.line).filter { $0.hasPrefix("extension") }
      #expect(extensions == ["extension Core\(part): \(name) {}"], "\(file)")
    }
  }
}
