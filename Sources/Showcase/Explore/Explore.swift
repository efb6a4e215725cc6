import Offstage

/// Featured and popular avatars, and their categories.
///
/// It holds no navigation state: only the router knows how a screen is shown.
final class ExplorePresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "explore"
    case didAppear
    case avatarTapped(avatarId: String, name: String)
    case categoryTapped(category: AvatarCategory)
    case createAccountPrompted, createAccountTapped
    case pushPermissionTapped
    case pushPermissionAnswered(enable: Bool)
    case devSettingsTapped
  }

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// Reloads the avatars that failed to load.
    let retry = In<Trigger>()
    /// The id of an avatar on the screen.
    let avatarTapped = In<String>()
    let categoryTapped = In<AvatarCategory>()
    let pushPermissionTapped = In<Trigger>(
      .enabled(by: \Output.showsPushPermission), .visible(by: \Output.showsPushPermission))
    let createAccountTapped = In<Trigger>(
      .enabled(by: \Output.showsCreateAccount), .visible(by: \Output.showsCreateAccount))
    let devSettingsTapped = In<Trigger>(.visible(by: \Output.showsDevSettings))
  }

  struct Output: Ports {
    let featured = Rows<Avatar>()
    let popular = Rows<Avatar>()
    let categories = Rows<CategoryRow>()
    let categoryRow = Out(CategoryRowOption.original, [.hidden, .kept])
    let isLoadingFeatured = Out(false)
    let isLoadingPopular = Out(false)
    let featuredFailure = Out<Failure?>(nil)
    let popularFailure = Out<Failure?>(nil)
    let canRetry = Out(false)
    let isPopularStale = Out(false)
    /// When stale popular avatars were loaded, in seconds since 1970; nil if they are up to date.
    let popularStaleSince = Out<Int?>(nil)
    let showsPushPermission = Out(false, .kept)
    let showsCreateAccount = Out(false)
    /// True for the app's developers.
    let showsDevSettings = Out(false)
  }

  /// The delay before the invitation to create an account.
  static let promptDelay = Duration.seconds(2)
  /// The time after the first start before a guest is invited.
  static let firstLook = Duration.seconds(60)

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any ExploreInteractor
  private let router: any ExploreRouter
  private let featured: Loader<[Avatar]>
  private let popular: Loader<[Avatar]>
  private let localizer = Localizer()
  private let hasAppeared = Kept(false)
  private let hasPrompted = Kept(false)
  /// When the invitation is due.
  private let promptTime = Kept(Duration.zero)
  private let invitationEnded = In<Account?>()
  private let devSettingsEnded = In<Empty?>()
  private let pushAnswered = In<CustomModalResult?>()
  private lazy var options = effects.task(.latest)
  private lazy var permission = effects.task(.latest)
  private lazy var prompt = effects.task(.keepFirst)

  init(interactor: any ExploreInteractor, router: any ExploreRouter) {
    self.interactor = interactor
    self.router = router
    featured = Loader(effects, name: "featured") { try await interactor.featuredAvatars() }
    popular = Loader(interactor.popularAvatars(), effects, name: "popular")
    output.showsCreateAccount.bind(interactor.isGuest)
    output.showsDevSettings.value = interactor.isForDevelopers
    output.isPopularStale.bindStale(output.popularStaleSince, popular.staleSince)
    for (avatars, rows, isLoading, failure) in [
      (featured, output.featured, output.isLoadingFeatured, output.featuredFailure),
      (popular, output.popular, output.isLoadingPopular, output.popularFailure),
    ] {
      isLoading.bind(avatars.isLoading)
      localizer.show(avatars, .loadAvatars, in: failure)
      avatars.values.observe { rows.reset(to: $0) }
      avatars.failures.observe { router.showAlert($0) }
    }
    output.canRetry.derive { [output] in
      [output.featuredFailure, output.popularFailure].contains { $0.value?.retryable == true }
    }
    input.didAppear.observe { [self] in appear() }
    if hasAppeared.value { showCategories() }
    prompt.onRestart("prompt") { [self] in awaitPromptTime() }
    localizer.onChange { [self] in
      // Nothing is shown before the first appearance.
      guard hasAppeared.value else { return }
      showCategories()
      featured.reload()
      popular.reload()
      renewReminders()
    }
    interactor.renewRemindersAtStart()
    // Also while the app stays open on another tab.
    effects.every(.seconds(Reminder.day)) { [self] in renewReminders() }
    input.retry.observe { [self] in if output.canRetry.value { loadAvatars() } }
    input.avatarTapped.openChat(
      withOneOf: [output.featured, output.popular], interactor, as: Action.avatarTapped
    ) { router.showChat($0) }
    input.categoryTapped.observe { category in
      interactor.trackEvent(Action.categoryTapped(category: category))
      router.showCategoryList(CategoryListDelegate(category: category))
    }
    input.pushPermissionTapped.observe { [self] in
      guard output.showsPushPermission.value else { return }
      interactor.trackEvent(Action.pushPermissionTapped)
      router.showPushPermissionModal(into: pushAnswered)
    }
    interactor.track(input.createAccountTapped, as: Action.createAccountTapped)
    interactor.track(input.devSettingsTapped, as: Action.devSettingsTapped)
    input.createAccountTapped.observe { [self] in createAccount() }
    input.devSettingsTapped.observe { [self] in
      router.showDevSettings(into: devSettingsEnded)
    }
    devSettingsEnded.observe { [self] _ in loadOptions() }
    invitationEnded.observe { [self] _ in loadOptions() }
    pushAnswered.observe { [self] in if let answer = $0 { answerPush(enable: answer == .primary) } }
  }

  private func appear() {
    interactor.trackEvent(Action.didAppear)
    if !hasAppeared.value { showCategories() }
    hasAppeared.value = true
    loadOptions()
    loadPermission()
    loadAvatars()
    renewReminders()
  }

  /// The categories and their pictures, which the sessions of a host share.
  private static let categories = AvatarCategory.allCases.map { ($0, Portrait(nil, $0).uri) }

  private func showCategories() {
    let words = localizer.words
    output.categories.reset(
      to: Self.categories.map { category, image in
        CategoryRow(id: category, title: words.category(category), image: image)
      })
  }

  // MARK: Loading

  /// Loads both lists at once. If one fails, the other is still shown.
  private func loadAvatars() {
    featured.load()
    popular.load()
  }

  /// Loads the experiments and the account, which other screens change.
  private func loadOptions() {
    options.run { [self] in
      let tests = try await interactor.abTests()
      let account = try await interactor.account()
      let firstStart = try await interactor.firstStart()
      try Task.checkCancellation()
      output.categoryRow.value = tests.categoryRow
      if tests.createAccountPrompt, account == nil { promptForAccount(firstStart: firstStart) }
      try await interactor.trackExposure()
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  /// Loads the permission separately from the options, since the device may be slow to answer.
  private func loadPermission() {
    permission.run { [self] in
      let mayAsk = try await interactor.canRequestAuthorization()
      try Task.checkCancellation()
      output.showsPushPermission.value = mayAsk
    } catch: { [self] error in
      if !(error is PromptError) { router.showAlert(error) }
    }
  }

  /// The next appearance tries again if this fails.
  private func renewReminders() { interactor.renewReminders { _ in } }

  // MARK: Going elsewhere

  private func createAccount() {
    guard output.showsCreateAccount.value else { return }
    // Opening the sheet by hand counts as the invitation.
    hasPrompted.value = true
    router.showCreateAccount(into: invitationEnded)
  }

  /// Invites a guest once per launch, and only while nothing covers the screen. Otherwise, the next
  /// appearance tries again.
  private func promptForAccount(firstStart: Duration) {
    guard !hasPrompted.value, !prompt.isRunning else { return }
    promptTime.value = max(effects.now + Self.promptDelay, firstStart + Self.firstLook)
    awaitPromptTime()
  }

  private func awaitPromptTime() {
    prompt.run { [self] in
      try await effects.sleep(for: promptTime.value - effects.now)
      guard output.showsCreateAccount.value, router.isVisible, !hasPrompted.value else { return }
      interactor.trackEvent(Action.createAccountPrompted)
      createAccount()
    }
  }

  // MARK: Push permission

  private func answerPush(enable: Bool) {
    interactor.trackEvent(Action.pushPermissionAnswered(enable: enable))
    output.showsPushPermission.value = false
    // A load that started earlier may still report the permission as unanswered.
    permission.cancel()
    interactor.answerPushPermission(enable: enable) { [self] in
      router.showAlert($0)
      loadPermission()
    }
  }
}

protocol ExploreInteractor: EventTracker {
  func abTests() async throws -> ABTests
  func trackExposure() async throws
  var isForDevelopers: Bool { get }
  func firstStart() async throws -> Duration
  func account() async throws -> Account?
  var isGuest: Signal<Bool> { get }
  func featuredAvatars() async throws -> [Avatar]
  func popularAvatars() -> Fetch<[Avatar]>
  func canRequestAuthorization() async throws -> Bool
  func answerPushPermission(enable: Bool, catch handle: @escaping ErrorHandler)
  func renewReminders(catch handle: @escaping ErrorHandler)
  func renewRemindersAtStart()
}

/// Each input gets the result once, however the screen closes.
protocol ExploreRouter: AlertRouter {
  /// True if the user sees the screen with nothing covering it.
  var isVisible: Bool { get }
  func showCategoryList(_ delegate: CategoryListDelegate)
  func showChat(_ delegate: ChatDelegate)
  func showCreateAccount(into result: In<Account?>)
  func showDevSettings(into result: In<Empty?>)
  func showPushPermissionModal(into result: In<CustomModalResult?>)
}

/// A category in the row.
struct CategoryRow: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  let id: AvatarCategory
  let title: String
  let image: String

  static var meanings: [PartialKeyPath<Self>: Meaning] { [\.image: .picture(.thumbnail)] }
}
