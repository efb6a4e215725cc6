import Offstage

/// A modal with a question and two buttons. It finishes with the button that the user presses.
final class CustomModalPresenter: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "customModal"
    case created, primaryButtonTapped, secondaryButtonTapped
  }

  typealias Argument = CustomModalDelegate

  enum Result: String, Codable, CaseIterable, Sendable {
    case primary, secondary
  }

  struct Input: Ports {
    let primaryButtonTapped = In<Trigger>()
    let secondaryButtonTapped = In<Trigger>()
  }

  struct Output: Ports {
    let title = Out("")
    let subtitle = Out("")
    let primaryButton = Out("", .label(for: \Input.primaryButtonTapped))
    let secondaryButton = Out("", .label(for: \Input.secondaryButtonTapped))
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(_ delegate: CustomModalDelegate, tracker: any EventTracker) {
    tracker.trackEvent(Action.created)
    tracker.track(input.primaryButtonTapped, as: Action.primaryButtonTapped)
    tracker.track(input.secondaryButtonTapped, as: Action.secondaryButtonTapped)
    output.title.value = delegate.title
    output.subtitle.value = delegate.subtitle
    output.primaryButton.value = delegate.primaryButton
    output.secondaryButton.value = delegate.secondaryButton
    input.primaryButtonTapped.observe { [self] in finish(.primary) }
    input.secondaryButtonTapped.observe { [self] in finish(.secondary) }
  }
}

/// The text of a modal.
struct CustomModalDelegate: Codable, Hashable, Sendable {
  let title: String
  let subtitle: String
  let primaryButton: String
  let secondaryButton: String
}

/// How the modal was answered, for screens that must not name its type.
typealias CustomModalResult = CustomModalPresenter.Result
