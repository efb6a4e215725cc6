import Offstage

/// Two texts in, two scalars out.
final class Form: Screen {
  static let kind = "form"

  struct Input: Ports {
    let nameText = In<String?>(nil)
    let emailText = In<String?>(nil)
  }

  struct Output: Ports {
    let isConfirmEnabled = Out(false)
    let greeting = Out("hello ")
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init() {
    output.isConfirmEnabled.bind(
      combineLatest(input.nameText, input.emailText).map {
        $0?.isEmpty == false && $1?.isEmpty == false
      })
    output.greeting.bind(input.nameText.map { "hello " + ($0 ?? "") })
  }
}
