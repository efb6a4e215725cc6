import Offstage

/// A screen, whose kind is that of its events.
protocol TrackedScreen: Screen {
  associatedtype Action: LoggableEvent
}

extension TrackedScreen {
  static var kind: String { Action.screen }
}

/// A screen that states all that it depends on.
protocol ViewModel: TrackedScreen {
  associatedtype Dependency

  init(dependency: Dependency)
}
