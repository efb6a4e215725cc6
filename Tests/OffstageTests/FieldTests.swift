import Offstage
import OffstageJSON
import OffstageTesting
import Testing

@Suite @CoreActor struct FieldTests {
  final class Form: Screen {
    static let kind = "form"
    struct Input: Ports {
      let name = Field<String?>(nil, .required, .length(...5, "too long"))
      let email = Field("", .matches("^[^@]+@[^@]+$", "not an address"))
      let age = Field(0, .check { $0 < 0 ? "negative" : nil })
    }
    struct Output: Ports {
      let canSend = Out(false)
      let nameError = Out<String?>(nil)
    }
    let input = Input(), output = Output(), effects = Effects()

    init() {
      output.canSend.derive { [input] in input.name.isValid && input.email.isValid }
      output.nameError.derive { [input] in input.name.error }
    }
  }

  @Test func rulesDecideAtOnceAndSpeakWhenAsked() {
    let core = TestCore()
    let form = core.show { Form() }
    let name = form.input.name
    #expect(!name.isValid)
    #expect(name.error == nil)
    #expect(!name.validate())
    #expect(name.error == "This is required.")
    name.send(" ")
    #expect(!name.isValid)
    #expect(name.error == nil)
    name.send("Kimberly")
    #expect(!name.validate())
    #expect(name.error == "too long")
    name.send("Kim")
    #expect(name.validate())
    #expect(name.error == nil)
  }

  /// More typing cannot mend a text that is too long, so its message does not wait.
  @Test func aTextThatIsTooLongSaysSoAtOnce() {
    let core = TestCore()
    let name = core.show { Form() }.input.name
    name.send("Kimberly")
    #expect(name.error == "too long")
    name.send("Kim")
    #expect(name.error == nil)
    name.value = "Kimberly"
    #expect(name.error == "too long")
    name.reset(to: "Kimberly")
    #expect(name.error == nil)
  }

  @Test func aTextThatIsTooShortSaysSoWhenAsked() {
    let core = TestCore()
    let names = core.show { Names() }
    names.input.name.send("Kim")
    names.input.name.send("")
    #expect(names.input.name.error == nil)
    #expect(!names.input.name.validate())
    #expect(names.input.name.error == "Enter 1 to 9 characters.")
  }

  @Test func emptyContentMatchesEveryPattern() {
    let core = TestCore()
    let email = core.show { Form() }.input.email
    #expect(email.isValid)
    email.send("kim")
    #expect(!email.isValid)
    email.send("kim@example.com")
    #expect(email.isValid)
  }

  @Test func derivedOutputsFollowFields() {
    let core = TestCore()
    let form = core.show { Form() }
    form.input.name.send("Kim")
    #expect(form.output.canSend.value)
    form.input.name.error = "taken"
    #expect(form.output.nameError.value == "taken")
    form.input.name.send("Lee")
    #expect(form.output.nameError.value == nil)
  }

  @Test func contentIsDirtyUntilItIsSaved() {
    let core = TestCore()
    let name = core.show { Form() }.input.name
    #expect(!name.isDirty)
    name.send("Kim")
    #expect(name.isDirty)
    name.send(nil)
    #expect(!name.isDirty)
    name.send("Kim")
    name.reset(to: "Kim")
    #expect(!name.isDirty)
    name.send("Lee")
    name.error = "taken"
    name.reset(to: "Max")
    #expect(!name.isDirty)
    #expect(name.value == "Max")
    #expect(name.error == nil)
  }

  @Test func editsAreWhatTheUserEnters() {
    let core = TestCore()
    let name = core.show { Form() }.input.name
    var edits: [String?] = []
    var contents: [String?] = []
    name.edits.observe { edits.append($0) }
    name.observe { contents.append($0) }
    name.send("Kim")
    name.value = "Lee"
    name.reset(to: "Max")
    #expect(edits == ["Kim"])
    #expect(contents == [nil, "Kim", "Lee", "Max"])
  }

  @Test func messagesAreInTheLanguageOfTheUser() {
    let core = TestCore()
    let name = core.show { Form() }.input.name
    core.core.frontEndLocale.language = "ko"
    #expect(!name.validate())
    #expect(name.error == "입력해 주세요.")
  }

  final class Names: Screen {
    static let kind = "names"
    struct Input: Ports { let name = Field("", .length(1...9)) }
    struct Output: Ports {}
    let input = Input(), output = Output(), effects = Effects()
    var asked: [String] = []

    init(
      name: String? = nil,
      _ answer: @escaping @CoreActor (String) async throws -> LocalizedText? = answer
    ) {
      input.name.check(
        .checkAsync { [self] name in
          asked.append(name)
          return try await answer(name)
        })
      if let name { input.name.send(name) }
    }

    static func answer(_ name: String) throws -> LocalizedText? {
      struct Offline: Error {}
      if name == "offline" { throw Offline() }
      return name == "taken" ? "taken" : nil
    }
  }

  @Test func laterRulesWaitForAPauseInTyping() async {
    let core = TestCore()
    let screen = core.show { Names() }
    let name = screen.input.name
    name.send("t")
    name.send("taken")
    #expect(!name.isValid)
    #expect(name.error == nil)
    #expect(screen.asked == [])
    await core.advance(by: .milliseconds(300))
    #expect(screen.asked == ["taken"])
    #expect(!name.isValid)
    #expect(name.error == nil)
    #expect(!name.validate())
    #expect(name.error == "taken")
    name.send("free")
    #expect(!name.isValid)
    #expect(name.error == nil)
    await core.advance(by: .milliseconds(300))
    #expect(name.isValid)
    #expect(screen.asked == ["taken", "free"])
  }

  @Test func validatedContentGetsTheMessageOfALaterRule() async {
    let core = TestCore()
    let name = core.show { Names() }.input.name
    name.send("taken")
    #expect(!name.validate())
    #expect(name.error == nil)
    await core.advance(by: .milliseconds(300))
    #expect(name.error == "taken")
    name.send("taken too")
    await core.advance(by: .milliseconds(300))
    #expect(name.error == nil)
  }

  @Test func fieldIsCheckingWhileLaterRulesRun() async {
    let core = TestCore()
    let screen = core.show { Names() }
    let name = screen.input.name
    let frames = await core.frames {
      name.send("free")
      #expect(name.isChecking)
      await core.advance(by: .milliseconds(300))
      #expect(!name.isChecking)
      name.send("too long to check")
      #expect(!name.isChecking)
    }
    let path = "/screens/1/fields/name"
    #expect(
      frames == [
        #"{"revision":2,"patch":[{"op":"replace","path":"\#(path)/value","value":"free"},"#
          + #"{"op":"add","path":"\#(path)/isChecking","value":true}]}"#,
        #"{"revision":3,"patch":[{"op":"remove","path":"\#(path)/isChecking"}]}"#,
        #"{"revision":4,"patch":[{"op":"replace","path":"\#(path)/value","value":"too long to check"},"#
          + #"{"op":"replace","path":"\#(path)/error","value":"Enter 1 to 9 characters."}]}"#,
      ])
    name.send("free")
    await core.run()
    #expect(
      core.differences(
        from: #"{"value":"free","error":null,"isChecking":true}"#, at: path) == [])
  }

  final class SignIn: Screen {
    static let kind = "signIn"
    struct Input: Ports {
      let passwordText = Field("")
      let newPasswordText = Field<String?>(nil)
      let pinText = Field("", roles: .secret)
      let passwordCountText = Field(0)
    }
    struct Output: Ports { let isLong = Out(false) }
    let input = Input(), output = Output(), effects = Effects()

    init() { output.isLong.derive { [input] in input.passwordText.value.count > 8 } }
  }

  @Test func documentMasksSecrets() async {
    let core = TestCore()
    let screen = core.show { SignIn() }
    let path = "/screens/1/fields"
    let empty = #"{"value":"","error":null}"#
    let full = #"{"value":"••••","error":null}"#
    #expect(
      core.differences(
        from: #"{"passwordText":\#(empty),"newPasswordText":{"value":null,"error":null},"#
          + #""pinText":\#(empty),"passwordCountText":{"value":0,"error":null}}"#,
        at: path) == [])
    let frames = await core.frames {
      for text in ["h", "hunter2", "hunter2 and more", ""] {
        screen.input.passwordText.send(text)
        await core.settle()
      }
      screen.input.newPasswordText.send("hunter2")
      screen.input.pinText.send("1234")
      screen.input.passwordCountText.send(3)
    }
    #expect(screen.input.newPasswordText.value == "hunter2")
    #expect(!frames.joined().contains("hunter2"))
    #expect(
      frames.first
        == #"{"revision":2,"patch":[{"op":"replace","path":"\#(path)/passwordText/value","value":"••••"}]}"#
    )
    #expect(frames.count == 4, "the second text changes nothing that is shown")
    #expect(
      core.differences(
        from: #"{"passwordText":\#(empty),"newPasswordText":\#(full),"#
          + #""pinText":\#(full),"passwordCountText":{"value":3,"error":null}}"#,
        at: path) == [])
  }

  @Test func laterRulesCheckContentThatInitHasSet() async {
    let core = TestCore()
    let screen = core.show { Names(name: "free") }
    #expect(!screen.input.name.isValid)
    await core.advance(by: .milliseconds(300))
    #expect(screen.input.name.isValid)
    #expect(screen.asked == ["free"])
  }

  /// A server would say that the user's own name is taken.
  @Test func laterRulesDoNotCheckSavedContent() async {
    let core = TestCore()
    let screen = core.show { Names() }
    let name = screen.input.name
    name.send("fre")
    name.reset(to: "taken")
    #expect(name.isValid)
    await core.advance(by: .milliseconds(300))
    #expect(name.isValid)
    #expect(name.error == nil)
    #expect(screen.asked == [])
  }

  /// Once the form is saved, a server would say that the name is taken.
  @Test func validatingEndsTheLaterCheckOfTheSameContent() async throws {
    let core = TestCore()
    var names: Set<String> = []
    let screen = core.show { Names { names.contains($0) ? "taken" : nil } }
    let name = screen.input.name
    name.send("mine")
    #expect(try await name.validate())
    names.insert("mine")
    await core.advance(by: .milliseconds(300))
    #expect(screen.asked == ["mine"])
    #expect(name.isValid)
    #expect(name.error == nil)
  }

  @Test func descriptionStatesTheStricterLimit() {
    let password = Field("", .required, .length(8...40), .length(...20))
    #expect(password.validity == ["minLength": 8, "maxLength": 20])
  }

  @Test(arguments: [
    ("abc", 1...1, "Enter 1 character."), ("", 2...2, "Enter 2 characters."),
    ("", 1...2, "Enter 1 to 2 characters."), ("abc", 0...1, "Enter at most 1 character."),
  ])
  func messageOfALengthNamesTheNumber(content: String, range: ClosedRange<Int>, message: String) {
    final class Note: Screen {
      static let kind = "note"
      struct Input: Ports {
        let text = Field("")
      }
      struct Output: Ports {}
      let input = Input(), output = Output(), effects = Effects()
    }
    let core = TestCore()
    let text = core.show { Note() }.input.text
    text.check(.length(range))
    text.send(content)
    text.validate()
    #expect(text.error == message)
  }

  /// A number arrives whole, so its message does not wait.
  @Test(arguments: [
    (5, nil, nil), (0, "Enter a number from 5 to 50.", "5~50 사이의 수를 입력해 주세요."), (50, nil, nil),
    (51, "Enter a number from 5 to 50.", "5~50 사이의 수를 입력해 주세요."),
    (7, "Enter a multiple of 5.", "5의 배수를 입력해 주세요."), (nil, nil, nil),
  ])
  func aNumberKeepsToItsRangeAndItsStep(number: Int?, message: String?, korean: String?) {
    final class Order: Screen {
      static let kind = "order"
      struct Input: Ports {
        let count = Field<Int?>(10, .range(5...50, step: 5))
      }
      struct Output: Ports {}
      let input = Input(), output = Output(), effects = Effects()
    }
    let (core, other) = (TestCore(), TestCore())
    other.locale.language = "ko"
    let count = core.show { Order() }.input.count
    count.send(number)
    #expect(count.error == message)
    #expect(count.isValid == (message == nil))
    let field = other.show { Order() }.input.count
    field.send(number)
    #expect(field.error == korean)
  }

  @Test func stepsOfFractionsAreExactEnough() {
    let share = Field(0.0, .range(0...1, step: 0.1))
    #expect(share.validity == ["minimum": 0, "maximum": 1, "multipleOf": 0.1])
    for tenth in 0...10 {
      share.send(Double(tenth) / 10)
      #expect(share.isValid)
      share.send(0.1 * Double(tenth))
      #expect(share.isValid)
    }
    share.send(0.35)
    #expect(share.error == "Enter a multiple of 0.1.")
  }

  @Test func invalidContentCancelsLaterRules() async {
    let core = TestCore()
    let screen = core.show { Names() }
    let name = screen.input.name
    name.send("taken")
    name.send("")
    await core.advance(by: .milliseconds(300))
    #expect(name.error == nil)
    #expect(!name.isValid)
    #expect(screen.asked == [])
    #expect(core.liveCounts == (1, 0, 0))
  }

  /// A server may answer although the question has been canceled.
  @Test func answerAboutEarlierContentIsDropped() async {
    let core = TestCore()
    let gate = Gate()
    let screen = core.show {
      Names { name in
        if name == "taken" { try await gate.pass() }
        return name == "taken" ? "taken" : nil
      }
    }
    let name = screen.input.name
    name.send("taken")
    await core.advance(by: .milliseconds(300), settling: false)
    #expect(gate.isWaitedAt)
    name.send("free")
    await core.advance(by: .milliseconds(300), settling: false)
    #expect(name.isValid)
    gate.open()
    await core.run()
    #expect(name.isValid)
    #expect(name.error == nil)
  }

  @Test func validatingWaitsForLaterRules() async throws {
    let core = TestCore()
    let name = core.show { Names() }.input.name
    name.send("taken")
    #expect(try await !name.validate())
    #expect(name.error == "taken")
    name.send("free")
    #expect(try await name.validate())
    #expect(name.isValid)
    name.send("")
    #expect(try await !name.validate())
    #expect(name.error == "Enter 1 to 9 characters.")
  }

  @Test func aCheckThatFailsObjectsToNothing() async {
    let core = TestCore()
    let name = core.show { Names() }.input.name
    name.send("offline")
    await core.advance(by: .milliseconds(300))
    #expect(name.isValid)
    #expect(name.error == nil)
    #expect(core.faults.isEmpty)
  }

  @Test func theDescriptionStatesContentAndRules() throws {
    let factory = ScreenFactory(Form.self) { _ in Form() }
    let description = try factory.describe(SchemaCatalog())
    #expect(description.inputs.map(\.name) == ["name", "email", "age"])
    #expect(description.fields.map(\.name) == ["name", "email", "age"])
    #expect(description.fields[0].schema == ["type": ["string", "null"]])
    #expect(
      JSON.object(description.fields[0].keywords) == [
        "x-role": "text", "x-valid": ["minLength": 1, "maxLength": 5],
      ])
    #expect(description.fields[1].keywords["x-valid"] == ["pattern": "^[^@]+@[^@]+$"])
    #expect(description.fields[2].keywords["x-valid"] == nil)
  }
}
