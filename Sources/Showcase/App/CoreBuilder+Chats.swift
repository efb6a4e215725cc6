internal import Offstage

/// The screens with a presenter, an interactor and a router each.
@CoreActor
extension CoreBuilder {
  static var explore: ScreenFactory {
    ScreenFactory(ExplorePresenter.self) { dependencies in
      ExplorePresenter(interactor: try CoreInteractor(dependencies), router: CoreRouter())
    }
  }

  static var categoryList: ScreenFactory {
    ScreenFactory(CategoryListPresenter.self) { delegate, dependencies in
      CategoryListPresenter(
        delegate: delegate, interactor: try CoreInteractor(dependencies), router: CoreRouter())
    }
  }

  static var chats: ScreenFactory {
    ScreenFactory(ChatsPresenter.self) { dependencies in
      ChatsPresenter(interactor: try CoreInteractor(dependencies), router: CoreRouter())
    }
  }

  static var chat: ScreenFactory {
    ScreenFactory(ChatPresenter.self) { delegate, dependencies in
      ChatPresenter(
        delegate: delegate, interactor: try CoreInteractor(dependencies), router: CoreRouter())
    }
  }

  static var createAvatar: ScreenFactory {
    ScreenFactory(CreateAvatarPresenter.self) { dependencies in
      CreateAvatarPresenter(interactor: try CoreInteractor(dependencies), router: CoreRouter())
    }
  }

  static var createAccount: ScreenFactory {
    ScreenFactory(CreateAccountPresenter.self) { delegate, dependencies in
      CreateAccountPresenter(
        delegate: delegate, interactor: try CoreInteractor(dependencies), router: CoreRouter())
    }
  }

  static var profile: ScreenFactory {
    ScreenFactory(ProfilePresenter.self) { dependencies in
      ProfilePresenter(interactor: try CoreInteractor(dependencies), router: CoreRouter())
    }
  }

  static var settings: ScreenFactory {
    ScreenFactory(SettingsPresenter.self) { dependencies in
      SettingsPresenter(interactor: try CoreInteractor(dependencies), router: CoreRouter())
    }
  }

  static var devSettings: ScreenFactory {
    ScreenFactory(DevSettingsPresenter.self) { dependencies in
      DevSettingsPresenter(interactor: try CoreInteractor(dependencies), router: CoreRouter())
    }
  }

  static var customModal: ScreenFactory {
    ScreenFactory(CustomModalPresenter.self) { delegate, _ in
      CustomModalPresenter(delegate: delegate)
    }
  }
}
