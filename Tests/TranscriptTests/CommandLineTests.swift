import Offstage
import OffstageHost
import ShowcaseMain
import Testing

/// What the reference app cannot be started with is said before anything is asked of it.
@Suite struct CommandLineTests {
  @Test(arguments: ["--pokeapi=notaurl", "--chat-api=foo", "--hotplaces=ftp://x", "--avatars=/a"])
  @CoreActor func anOptionThatIsNoAddressIsRefused(option: String) {
    #expect(throws: UsageError.self) { try Main.program.makeSession(["--deterministic", option]) }
  }
}
