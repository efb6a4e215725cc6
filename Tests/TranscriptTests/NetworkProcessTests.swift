import TestSupport
import Testing

/// The sentence that a user reads about a network that fails, and the reason in the log. Servers
/// that fail are in the transcripts; these are networks that no transcript can set up.
@Suite struct NetworkProcessTests {
  private static let unknownName = String(repeating: "x", count: 64) + ".invalid"

  @Test(arguments: [
    ("", "http://\(unknownName)", "offline", "인터넷 연결을 확인하고", "resolve host"),
    ("", "http://127.0.0.1:9", "refused", "서버가 연결을 받지 않아요", "refused the connection"),
    ("http_proxy=http://127.0.0.1:9", "http://example.com", "proxy", "프록시 설정", "127.0.0.1"),
    ("http_proxy=http://\(unknownName)", "http://example.com", "proxy", "프록시 설정", "resolve proxy"),
  ])
  func networkThatFailsIsExplained(
    environment: String, url: String, reason: String, sentence: String, detail: String
  ) throws {
    let shell = try ProgramShell()
    let (status, output) = try shell.run(
      """
      printf '%s\\n' \\
        '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocol":1,"locale":"ko"}}' \\
        '{"jsonrpc":"2.0","id":2,"method":"input","params":{"screen":"1","name":"didAppear","settle":true}}' |
        env -u no_proxy -u NO_PROXY -u http_proxy -u all_proxy -u ALL_PROXY \(environment) \\
        $S --data d --log error --root pokedex --pokeapi \(url)
      """)
    #expect(status == 0)
    #expect(output.contains("\"reason\":\"\(reason)\""), "\(output)")
    #expect(output.contains(sentence), "\(output)")
    #expect(output.contains(detail), "\(output)")
    #expect(output.contains("loadPokemonList: \(reason): "), "\(output)")
  }
}
