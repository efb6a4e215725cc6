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
  private static let screens = Result {
    map + presenters + pokedex + library(try .library()) + forms
  }

  private static let prompts: [PromptDescription] = [
    .currentLocation, .share, .authorizeNotifications, .notificationStatus,
    .scheduleNotifications,
  ]

  private static func tab(_ id: String, icon: String, _ root: Route) -> Tab {
    Tab(id, title: .words { $0.title(of: id) }, icon: icon, root)
  }

  private static let links =
    ["map", "explore", "chats", "pokedex", "library", "profile"].map { (tab: String) in
      Link("showcase://\(tab)", tab: tab)
    } + [
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
  /// The screens that each have a presenter, an interactor, and a router.
  private static var presenters: [ScreenFactory] {
    [
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
    ]
  }

  /// Returns a factory for a presenter with its own interactor and router. The presenter sees them
  /// only through the two protocols that it declares.
  private static func presenter<P: Screen>(
    _ make: @escaping @CoreActor @Sendable (P.Argument, CoreInteractor, CoreRouter) -> P
  ) -> ScreenFactory {
    ScreenFactory(P.self) { make($0, try CoreInteractor($1), CoreRouter()) }
  }

  private static func accountSwitches(_ dependencies: Dependencies) throws -> Signal<Trigger> {
    try dependencies[.scope].session.switches.signal
  }

  private static var map: [ScreenFactory] {
    [
      ScreenFactory(Map.self) {
        Map(
          dependency: .init(
            repository: try $0[.places], coordinator: CoreRouter(),
            userLocation: try $0[.scope].userLocation, accountSwitches: try accountSwitches($0),
            welcome: try $0[.scope].display.welcome, tracker: try ScreenTracker($0)))
      },
      ScreenFactory(PlaceSearch.self) {
        let scope = try $1[.scope]
        return PlaceSearch(
          dependency: .init(
            center: $0.center ?? .seoulCityHall, text: scope.placeSearchText,
            recents: scope.recentSearches.loaded(), remember: scope.recentSearches.add,
            repository: try $1[.places], tracker: try ScreenTracker($1)))
      },
      ScreenFactory(AllPlaces.self) {
        AllPlaces(
          dependency: .init(
            repository: try $0[.places], coordinator: CoreRouter(),
            tracker: try ScreenTracker($0)))
      },
      ScreenFactory(PlaceDetail.self) {
        PlaceDetail(
          dependency: .init(
            id: $0.id, repository: try $1[.places], userLocation: try $1[.scope].userLocation,
            tracker: try ScreenTracker($1)))
      },
    ]
  }

  private static var pokedex: [ScreenFactory] {
    [
      ScreenFactory(Pokedex.self) {
        Pokedex(
          dependency: .init(
            repository: try $0[.pokemon], images: try $0[.images], coordinator: CoreRouter(),
            accountSwitches: try accountSwitches($0), tracker: try ScreenTracker($0)))
      },
      ScreenFactory(PokemonDetail.self) {
        PokemonDetail(
          dependency: .init(
            id: $0.id, repository: try $1[.pokemon], images: try $1[.images],
            tracker: try ScreenTracker($1)))
      },
    ]
  }

  private static func library(_ matrix: CardMatrix) -> [ScreenFactory] {
    [
      ScreenFactory(Library.self) {
        Library(
          dependency: .init(
            records: try $0[.scope].library, matrix: matrix, coordinator: CoreRouter(),
            tracker: try ScreenTracker($0)))
      },
      ScreenFactory(TitleDetail.self) {
        TitleDetail(
          dependency: .init(
            key: $0.key, records: try $1[.scope].library, tracker: try ScreenTracker($1)))
      },
    ]
  }

  private static var forms: [ScreenFactory] {
    [
      ScreenFactory(SignUp.self) {
        let scope = try $1[.scope]
        return SignUp(
          dependency: .init(
            initial: $0, accounts: try $1[.accounts], session: scope.session,
            coordinator: CoreRouter(), tracker: try ScreenTracker($1)))
      },
      ScreenFactory(Gallery.self) {
        Gallery(label: $0.label ?? "lobby", tracker: try ScreenTracker($1))
      },
    ]
  }
}
