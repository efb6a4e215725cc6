import Offstage

/// The avatars of one category.
final class CategoryListPresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "categoryList"
    case didAppear
    case avatarTapped(avatarId: String, name: String)
  }

  typealias Argument = CategoryListDelegate

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let retry = In<Trigger>()
    /// The id of an avatar in the list.
    let avatarTapped = In<String>()
  }

  struct Output: LoadingOutput {
    let title = Out("")
    let image = Out("", .picture)
    let avatars = Rows<Avatar>()
    let isLoading = Out(false)
    let failure = Out<Failure?>(nil)
    let canRetry = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let localizer = Localizer()

  init(
    delegate: CategoryListDelegate, interactor: any CategoryListInteractor,
    router: any CategoryListRouter
  ) {
    output.title.derive { [localizer] in localizer.words.category(delegate.category) }
    output.image.value = Portrait(nil, delegate.category).uri
    let avatars = Loader(effects) { try await interactor.avatars(in: delegate.category) }
    output.show(avatars, .loadAvatars, localizer)
    avatars.values.observe { [output] in output.avatars.reset(to: $0) }
    avatars.failures.observe { router.showAlert($0) }
    // Each account sees its own avatars.
    interactor.accountSwitches.observe { [output] (_: Trigger) in
      output.avatars.removeAll()
      avatars.reload()
    }
    interactor.track(input.didAppear, as: Action.didAppear)
    input.didAppear.merge(input.retry).observe { (_: Trigger) in avatars.load() }
    input.avatarTapped.openChat(
      withOneOf: [output.avatars], interactor, as: Action.avatarTapped
    ) { router.showChat($0) }
    localizer.onChange { avatars.reload() }
    avatars.load()
  }
}

struct CategoryListDelegate: Codable, Hashable, Sendable {
  let category: AvatarCategory
}

protocol CategoryListInteractor: EventTracker {
  var accountSwitches: Signal<Trigger> { get }
  func avatars(in category: AvatarCategory) async throws -> [Avatar]
}

protocol CategoryListRouter: AlertRouter {
  func showChat(_ delegate: ChatDelegate)
}
