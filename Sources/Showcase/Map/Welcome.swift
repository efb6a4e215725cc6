import Offstage

/// Says on the map what the app is for, until the user has read it.
@CoreActor
final class Welcome {
  private let text: Out<String?>
  private let state: Preference<WelcomeState>
  private let localizer = Localizer()
  private let hasAppeared = Kept(false)

  /// - Parameters:
  ///   - text: Receives the words; nil once the user has read them.
  ///   - state: Says if the user has read them.
  ///   - appeared: Fires when the screen appears. By then, the state is known.
  ///   - closed: Fires when the user has read them.
  ///   - onFailure: Called if that cannot be kept.
  init(
    in text: Out<String?>, _ state: Preference<WelcomeState>, appeared: In<Trigger>,
    closed: In<Trigger>, onFailure: @escaping @CoreActor (any Error) -> Void
  ) {
    (self.text, self.state) = (text, state)
    closed.observe { state.choose(.read, catch: onFailure) }
    state.value.observe { [self] _ in show() }
    appeared.observe { [self] in
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
