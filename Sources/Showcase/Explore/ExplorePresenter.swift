internal import Offstage

/// Who there is to talk to, at a glance.
///
/// It says where to go and never how: of navigation it has no state at all.
final class ExplorePresenter: Screen {
  static let kind = "explore"

  struct Input: Ports {
    let didAppear = In<Trigger>()
    /// Loads again what could not be loaded.
    let retry = In<Trigger>()
    /// With the id of an avatar that is shown.
    let avatarTapped = In<String>()
    let categoryTapped = In<AvatarCategory>()
    let pushPermissionTapped = In<Trigger>()
    let createAccountTapped = In<Trigger>()
    let devSettingsTapped = In<Trigger>()
  }

  struct Output: Ports {
    let featured = Rows<Avatar>()
    let popular = Rows<Avatar>()
    let categories = Rows<CategoryRow>()
    let categoryRow = Out(CategoryRowOption.original)
    let isLoadingFeatured = Out(false)
    let isLoadingPopular = Out(false)
    let featuredFailure = Out<LoadFailure?>(nil)
    let popularFailure = Out<LoadFailure?>(nil)
    let showsPushPermission = Out(false)
    let showsCreateAccount = Out(false)
  }

  /// How long one looks around before being asked to create an account.
  static let promptDelay = Duration.seconds(2)

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let interactor: any ExploreInteractor
  private let router: any ExploreRouter
  private var hasPrompted = false

  init(interactor: any ExploreInteractor, router: any ExploreRouter) {
    self.interactor = interactor
    self.router = router
    output.isLoadingFeatured.bind(effects.activity("featured"))
    output.isLoadingPopular.bind(effects.activity("popular"))
    input.didAppear.observe { [self] in appear() }
    input.retry.observe { [self] in loadAvatars() }
    input.avatarTapped.observe { [self] in openChat(with: $0) }
    input.categoryTapped.observe { [self] in openCategory($0) }
    input.pushPermissionTapped.observe { [self] in askForPush() }
    input.createAccountTapped.observe { [self] in createAccount() }
    input.devSettingsTapped.observe { [self] in
      router.showDevSettings { [self] in loadOptions() }
    }
  }

  private func appear() {
    interactor.trackEvent(.init("explore.didAppear"))
    if output.categories.isEmpty {
      output.categories.append(
        contentsOf: AvatarCategory.allCases.map {
          CategoryRow(id: $0, title: $0.title, image: interactor.portrait(of: $0))
        })
    }
    loadOptions()
    loadAvatars()
  }

  // MARK: Loading

  /// Both loads run at once and fail apart: one of them is better than nothing.
  private func loadAvatars() {
    load("featured", into: output.featured, output.featuredFailure) { [interactor] in
      try await interactor.featuredAvatars()
    }
    load("popular", into: output.popular, output.popularFailure) { [interactor] in
      try await interactor.popularAvatars()
    }
  }

  private func load(
    _ name: String, into rows: Rows<Avatar>, _ failure: Out<LoadFailure?>,
    _ avatars: @escaping @CoreActor () async throws -> [Avatar]
  ) {
    guard rows.isEmpty else { return }
    effects.run(name, .keepFirst) {
      rows.reset(to: try await avatars())
      failure.value = nil
    } catch: { [self] error in
      failure.value = LoadFailure(error)
      router.showAlert(error)
    }
  }

  /// What to show beside the avatars; it may have changed whenever another screen has gone.
  private func loadOptions() {
    effects.run("options", .latest) { [self] in
      let tests = try await interactor.abTests()
      let account = try await interactor.account()
      let mayAsk = try await interactor.canRequestAuthorization()
      try Task.checkCancellation()
      output.categoryRow.value = tests.categoryRow
      output.showsCreateAccount.value = account == nil
      output.showsPushPermission.value = mayAsk
      if tests.createAccountPrompt, account == nil { promptForAccount() }
    } catch: { [self] error in
      router.showAlert(error)
    }
  }

  // MARK: Going elsewhere

  private func openChat(with id: String) {
    guard let avatar = output.featured[id] ?? output.popular[id] else { return }
    interactor.trackEvent(
      .init("explore.avatarTapped", ["avatarId": avatar.id, "name": avatar.name]))
    router.showChat(ChatDelegate(avatarId: avatar.id))
  }

  private func openCategory(_ category: AvatarCategory) {
    interactor.trackEvent(.init("explore.categoryTapped", ["category": category.rawValue]))
    router.showCategoryList(CategoryListDelegate(category: category))
  }

  private func createAccount() {
    router.showCreateAccount(CreateAccountDelegate()) { [self] in loadOptions() }
  }

  /// Asks once, and not who has signed up meanwhile.
  private func promptForAccount() {
    guard !hasPrompted else { return }
    hasPrompted = true
    effects.run("prompt", .keepFirst) { [self] in
      try await effects.sleep(for: Self.promptDelay)
      guard output.showsCreateAccount.value else { return }
      interactor.trackEvent(.init("explore.createAccountPrompted"))
      createAccount()
    }
  }

  // MARK: Push permission

  private func askForPush() {
    guard output.showsPushPermission.value else { return }
    interactor.trackEvent(.init("explore.pushPermissionTapped"))
    router.showPushPermissionModal(
      onEnablePressed: { [self] in answerPush(enable: true) },
      onCancelPressed: { [self] in answerPush(enable: false) })
  }

  private func answerPush(enable: Bool) {
    interactor.trackEvent(.init("explore.pushPermissionAnswered", ["enable": "\(enable)"]))
    effects.run("push", .keepFirst) { [self] in
      // First of all: it is not to be asked again, whatever the device says.
      try await interactor.notePushPermissionAnswered()
      output.showsPushPermission.value = false
      // A look at the options that began before may still have found it unanswered.
      loadOptions()
      guard enable, try await interactor.requestAuthorization() else { return }
      try await interactor.schedulePushNotificationsForTheNextWeek()
    } catch: { [self] error in
      router.showAlert(error)
    }
  }
}
