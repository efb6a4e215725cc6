import Offstage
import OffstageTesting
import Testing

/// B.5: an output never fails: an error on the way becomes its declared fallback value.
@Suite @CoreActor struct FallbackTests {
  @Test func anErrorBecomesTheFallback() {
    let core = TestCore()
    let form = core.show { BoundForm() }
    #expect(form.output.greeting.value == "Hello, whoever you are")
    form.input.nameText.send("Kim")
    #expect(form.output.greeting.value == "Hello, Kim")
    form.input.nameText.send("")
    #expect(form.output.greeting.value == "Hello, whoever you are")
    form.input.nameText.send("Lee")
    #expect(form.output.greeting.value == "Hello, Lee")
    #expect(core.faults.isEmpty)
  }
}
