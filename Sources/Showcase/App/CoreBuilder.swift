package import Offstage

/// Builds the app: its tabs, its links, and a factory for each screen.
@CoreActor
package enum CoreBuilder {
  /// Composes the app from a value for every `package` key in `Dependencies.swift`.
  /// - Throws: `CardMatrixError`, or an error without `resources`.
  package static func app(_ dependencies: Dependencies) throws -> App {
    App(
      root: .tabs(tabs), dependencies: dependencies,
      scope: ScreenFactory(AppScope.self) { dependencies in
        let session = Session(try dependencies[.accounts], Effects())
        let scope = AppScope(
          session: session, chats: try dependencies[.chats],
          library: try dependencies[.library],
          reminders: Reminders(
            session: session, settings: try dependencies[.settings],
            repository: try dependencies[.reminders]),
          display: DisplayPreferences(try dependencies[.settings]),
          settings: try dependencies[.settings], router: CoreRouter())
        dependencies.set(.scope, to: scope)
        return scope
      },
      resources: try dependencies[.resources],
      links: links,
      prompts: prompts,
      labels: { Words(for: $1).label($0) },
      screens: try screens.get())
  }

  // The sessions of a host share what follows.
  private static let tabs = [
    tab("map", icon: "map", Route(Map.self)),
    tab("explore", icon: "eyes", Route(ExplorePresenter.self)),
    tab("chats", icon: "bubble.left", Route(ChatsPresenter.self)),
    tab("pokedex", icon: "circle.grid.3x3", Route(Pokedex.self)),
    tab("library", icon: "books.vertical", Route(Library.self)),
    tab("profile", icon: "person", Route(ProfilePresenter.self)),
  ]
  private static let screens = Result { screens(try .library()) }

  private static let prompts: [PromptDescription] = [
    .currentLocation, .share, .authorizeNotifications, .notificationStatus,
    .scheduleNotifications,
  ]

  private static func tab(_ id: String, icon: String, _ root: Route) -> Tab {
    Tab(id, title: .words { $0.title(of: id) }, icon: icon, root)
  }

  private static let links =
    tabs.map { Link("showcase://\($0.id)", tab: $0.id) } + [
      Link("showcase://map/all", tab: "map", to: AllPlaces.self),
      Link("showcase://map/place/:id", tab: "map", to: PlaceDetail.self),
      Link("showcase://explore/:category", tab: "explore", to: CategoryListPresenter.self),
      chat("showcase://chats/:id", tab: "chats"),
      chat("showcase://avatars/:id", tab: "explore"),
      Link("showcase://pokedex/:id", tab: "pokedex", to: PokemonDetail.self),
      Link("showcase://library/:key", tab: "library", to: TitleDetail.self),
      Link("showcase://profile/settings", tab: "profile", to: SettingsPresenter.self),
      Link(
        "showcase://profile/edit", tab: "profile", to: EditProfilePresenter.self, isPrivate: true
      ) {
        try $0.dependencies[.scope].output.account.value.map {
          [Route(EditProfilePresenter.self, EditProfileDelegate(account: $0))]
        } ?? []
      },
    ]

  /// A chat has its avatar's id, and starts with the first message.
  private static func chat(_ pattern: String, tab: String) -> Link {
    Link(
      pattern, tab: tab, to: ChatPresenter.self, url: { ["id": $0.id] },
      routes: { [Route(ChatPresenter.self, ChatDelegate(avatarId: $0["id"]))] })
  }
}

// MARK: Screens

extension CoreBuilder {
  private static func screens(_ matrix: CardMatrix) -> [ScreenFactory] {
    [
      viewModel(Map.self) {
        .init(
          repository: try $1[.places], coordinator: CoreRouter(),
          userLocation: try $1[.scope].userLocation,
          accountSwitches: try $1[.scope].session.switches.signal,
          welcome: try $1[.scope].display.welcome, tracker: $2)
      },
      viewModel(PlaceSearch.self) {
        let scope = try $1[.scope]
        return .init(
          center: $0.center ?? .seoulCityHall, text: scope.placeSearchText,
          recents: scope.recentSearches.loaded(), remember: scope.recentSearches.add,
          repository: try $1[.places], tracker: $2)
      },
      viewModel(AllPlaces.self) {
        .init(repository: try $1[.places], coordinator: CoreRouter(), tracker: $2)
      },
      viewModel(PlaceDetail.self) {
        .init(
          id: $0.id, repository: try $1[.places], userLocation: try $1[.scope].userLocation,
          tracker: $2)
      },
      presenter { ExplorePresenter(interactor: $1, router: $2) },
      presenter { CategoryListPresenter(delegate: $0, interactor: $1, router: $2) },
      presenter { ChatsPresenter(interactor: $1, router: $2) },
      presenter { ChatPresenter(delegate: $0, interactor: $1, router: $2) },
      presenter { CreateAvatarPresenter(interactor: $1, router: $2) },
      presenter { CreateAccountPresenter($0, interactor: $1, router: $2) },
      presenter { ProfilePresenter(interactor: $1, router: $2) },
      presenter { EditProfilePresenter(delegate: $0, interactor: $1, router: $2) },
      presenter { SettingsPresenter(interactor: $1, router: $2) },
      presenter { DevSettingsPresenter(interactor: $1, router: $2) },
      ScreenFactory(CustomModalPresenter.self) {
        CustomModalPresenter($0, tracker: try ScreenTracker($1))
      },
      viewModel(Pokedex.self) {
        .init(
          repository: try $1[.pokemon], images: try $1[.images], coordinator: CoreRouter(),
          accountSwitches: try $1[.scope].session.switches.signal, tracker: $2)
      },
      viewModel(PokemonDetail.self) {
        .init(id: $0.id, repository: try $1[.pokemon], images: try $1[.images], tracker: $2)
      },
      viewModel(Library.self) {
        .init(
          records: try $1[.scope].library, matrix: matrix, coordinator: CoreRouter(), tracker: $2)
      },
      viewModel(TitleDetail.self) {
        .init(key: $0.key, records: try $1[.scope].library, tracker: $2)
      },
      viewModel(SignUp.self) {
        .init(
          initial: $0, accounts: try $1[.accounts], session: try $1[.scope].session,
          coordinator: CoreRouter(), tracker: $2)
      },
      ScreenFactory(Gallery.self) {
        Gallery(label: $0.label ?? "lobby", tracker: try ScreenTracker($1))
      },
    ]
  }

  /// Returns a factory for a view model with its dependency.
  private static func viewModel<Model: ViewModel>(
    _ type: Model.Type,
    _ dependency:
      @escaping @CoreActor @Sendable (
        Model.Argument, Dependencies, ScreenTracker
      ) throws -> Model.Dependency
  ) -> ScreenFactory {
    ScreenFactory(type) { Model(dependency: try dependency($0, $1, ScreenTracker($1))) }
  }

  /// Returns a factory for a presenter with its own interactor and router. The presenter sees them
  /// only through the two protocols that it declares.
  private static func presenter<P: Screen>(
    _ make: @escaping @CoreActor @Sendable (P.Argument, CoreInteractor, CoreRouter) -> P
  ) -> ScreenFactory {
    ScreenFactory(P.self) { make($0, try CoreInteractor($1), CoreRouter()) }
  }
}
