import Offstage

/// A screen whose address has two parameters.
final class Article: Screen {
  static let kind = "article"

  struct Argument: Codable, Sendable {
    var feed: Int
    var article: String
  }

  struct Input: Ports { let next = In<Trigger>() }
  struct Output: Ports { let name = Out("") }

  let input = Input(), output = Output(), effects = Effects()
  private let router = Router()

  init(_ argument: Argument) {
    output.name.value = "\(argument.article) of feed \(argument.feed)"
    input.next.observe { [router] in
      router.push(
        Article.self, Argument(feed: argument.feed + 1, article: "\(argument.article)/?é"))
    }
  }
}
