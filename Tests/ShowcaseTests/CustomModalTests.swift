import Offstage
import OffstageTesting
import Testing

@testable import Showcase

/// The modal shows its texts and finishes with the pressed button.
@Suite @CoreActor struct CustomModalPresenterTests {
  private let delegate = CustomModalDelegate(
    title: "Really?", subtitle: "It matters.", primaryButton: "Yes", secondaryButton: "No")

  @Test func showsTheTextsOfItsDelegate() {
    let core = TestCore()
    let modal = core.show { CustomModalPresenter(delegate, tracker: MockTracker()) }
    #expect(modal.output.title.value == "Really?")
    #expect(modal.output.subtitle.value == "It matters.")
    #expect(modal.output.primaryButton.value == "Yes")
    #expect(modal.output.secondaryButton.value == "No")
  }

  @Test(arguments: [CustomModalPresenter.Result.primary, .secondary])
  func endsWithTheButton(result: CustomModalPresenter.Result) throws {
    let core = TestCore(
      App(
        root: .stack(Route(ModalHost.self)),
        screens: [
          ScreenFactory(ModalHost.self) { _ in ModalHost(delegate: delegate) },
          ScreenFactory(CustomModalPresenter.self) { delegate, _ in
            CustomModalPresenter(delegate, tracker: MockTracker())
          },
        ]))
    try core.start()
    let host = try #require(core.screen(ModalHost.self))
    host.input.show.send()
    let modal = try #require(core.screen(CustomModalPresenter.self))
    switch result {
    case .primary: modal.input.primaryButtonTapped.send()
    case .secondary: modal.input.secondaryButtonTapped.send()
    }
    #expect(host.ends.values == [result])
    #expect(core.kinds == ["modalHost"])
  }
}

/// Shows the modal and records its result.
private final class ModalHost: Screen {
  static let kind = "modalHost"

  struct Input: Ports {
    let ended = In<CustomModalPresenter.Result?>()
    let show = In<Trigger>()
  }

  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()
  let ends: Events<CustomModalPresenter.Result?>
  private let router = Router()

  init(delegate: CustomModalDelegate) {
    ends = Events(of: input.ended)
    input.show.observe { [self] in
      router.present(CustomModalPresenter.self, delegate, as: .modal).deliver(to: input.ended)
    }
  }
}
