import Offstage
import OffstageHost

/// An app with every role of outputs, members, and inputs, and every kind of value.
@main enum MeaningsApp {
  static let program = Program("meanings", version: "1.0") { _ in
    App(
      root: .tabs([
        Tab("work", title: "Work", icon: "hammer", Route(Work.self)),
        Tab("lists", title: "Lists", icon: "list", Route(Lists.self)),
        Tab("values", title: "Values", icon: "number", Route(Values.self)),
        Tab("form", title: "Form", icon: "pencil", Route(Form.self)),
        Tab("ask", title: "Ask", icon: "person", Route(Ask.self)),
        Tab("parts", title: "Parts", icon: "list", Route(Parts.self)),
      ]),
      scope: ScreenFactory(AppScope.self) { _ in AppScope() },
      resources: picture,
      links: [
        Link("meanings://feed/:feed/article/:article", tab: "lists", to: Article.self),
        Link("https://example.com/:feed/:article", tab: "lists", to: Article.self),
      ],
      prompts: .all,
      labels: { key, _ in words[key] },
      screens: [
        ScreenFactory(Work.self) { _ in Work() },
        ScreenFactory(Lists.self) { _ in Lists() },
        ScreenFactory(Values.self) { _ in Values() },
        ScreenFactory(Form.self) { _ in Form() },
        ScreenFactory(Ask.self) { _ in Ask() },
        ScreenFactory(Diary.self) { _ in Diary() },
        ScreenFactory(Parts.self) { _ in Parts() },
        ScreenFactory(Long.self) { _ in Long() },
        ScreenFactory(Article.self) { argument, _ in Article(argument) },
      ])
  }

  static func main() { program.run() }

  /// The texts that no name implies.
  static let words: [String: Label] = [
    "app.isSyncing": "Syncing everything",
    "work.isMoving": "Working",
    "work.share": "Share done",
    "work.rooms": Label("Rooms", placeholder: "A list without rooms"),
    "lists.finds": Label("Finds", placeholder: "Type to search"),
    "lists.hasNoFinds": Label("Nothing found", description: "Try other words."),
    "ListsGuest.isNew": "Unread", "ListsGuest.isAway": "Disabled",
    "ListsGuest.isStarred": "Favorite",
    "Van.isMoving": "The van is moving",
    "Van.mayDrive": Label("May drive", description: "The plate is too long."),
    "Van.nothing": Label("No parcels", description: "The van is empty."),
    "VanParcel.isNew": "Unread", "VanParcel.isPinned": "Favorite",
    "Desk.isNew": "Unread", "Desk.isSold": "Disabled", "DeskDrawer.isDone": "Done",
    "form.mayGo": Label("May go", description: "The order is on its way."),
    "form.sizePicked": "Size of the shirt",
    "PickFilePrompt": "A photo of the house", "PickDatePrompt": "When do you move?",
    "OpenURLPrompt": "See the map?", "SignInPrompt": "Sign in to the van",
    "LendPrompt": "Lend the book?", "PickRoomPrompt": "Which room?",
    "CountBoxesPrompt": Label("How many boxes?", description: "Count the small ones, too."),
    "NameCatPrompt": Label("The name of the cat", placeholder: "Mitzi"),
    "ListGuestsPrompt": "Who comes?", "RingPrompt": "Ring the bell",
    "DescribeHomePrompt": "Your home", "AskHome.floors": "Number of floors",
    "AskRoom.attic": "Under the roof",
    "FormSize.small": "Small one", "FormSize.large": "Large one",
  ]
}

/// The app as a whole: what it says is on every screen.
final class AppScope: Scope {
  struct Input: Ports {
    let sync = In<Trigger>()
    let endSync = In<Trigger>()
    let age = In<Trigger>()
    let restore = In<Trigger>()
    let undo = In<Trigger>(.enabled(by: \Output.canUndo))
  }

  struct Output: Ports {
    let heading = Out("The whole house", .title)
    let isSyncing = Out(false, .busy)
    let asOf = Out<Int?>(nil, .stale)
    /// For the screens, which may show it.
    let plan = Out("A plan for later")
    let upload = Out<Upload?>(nil)
    let chores = Rows<Chore>()
    let nothing = Out("Nothing is left to do", .empty(of: \Output.chores))
    let notice = Out<String?>(nil)
    let canUndo = Out(false)
  }

  struct Chore: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let name: String
  }

  /// Its members imply that it is progress.
  struct Upload: Codable, Equatable, Sendable {
    var done = 0
    var total = 8
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    output.canUndo.derive { [output] in output.notice.value != nil }
    input.sync.observe { [output] in
      output.isSyncing.value = true
      output.upload.value = Upload(done: 3)
    }
    input.age.observe { [output] in output.asOf.value = 1_767_225_600 }
    input.endSync.observe { [output] in
      output.isSyncing.value = false
      output.upload.value = nil
    }
    input.restore.observe { [output] in output.notice.value = "The whole app was restored" }
    input.undo.observe { [output] in output.notice.value = nil }
  }
}

/// The bytes of every picture: an orange square.
@Sendable func picture(at path: String) -> Resource? {
  guard path.hasSuffix(".svg") else { return nil }
  let text = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">
      <rect width="1" height="1" fill="#f80"/>
    </svg>
    """
  return Resource(mimeType: "image/svg+xml", .bytes(Array(text.utf8)))
}
