import Offstage

/// Says on the map what the app is for, until the user has read it.
@CoreActor
final class Welcome {
  private let text: Out<String?>
  private let state: Preference<WelcomeState>
  private let localizer = Localizer()
  private let hasAppeared = Kept(false)

  init(in map: Map.Output, _ input: Map.Input, _ dependency: Map.Dependency) {
    (text, state) = (map.welcome, dependency.welcome)
    dependency.tracker.track(input.welcomeClosed, as: Map.Action.welcomeClosed)
    input.welcomeClosed.observe { [state] in
      state.choose(.read) { dependency.coordinator.showAlert($0) }
    }
    state.value.observe { [self] _ in show() }
    // By then, it is known whether the user has read it.
    input.didAppear.observe { [self] in
      hasAppeared.value = true
      show()
    }
    localizer.onChange { [self] in show() }
  }

  private func show() {
    let isUnread = hasAppeared.value && state.value.value == .unread
    text.value = isUnread ? localizer.words.welcome : nil
  }
}
