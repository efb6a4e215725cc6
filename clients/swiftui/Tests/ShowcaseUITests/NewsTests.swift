import OffstageClient
import Testing

@testable import ShowcaseUI

/// Shows the messages of events.
@MainActor
@Suite struct NewsTests {
  static let screen: Value = [
    "inputs": [
      "undo": ["type": "null", "x-role": "trigger", "title": "Undo"],
      "retry": ["type": "null", "x-role": "trigger", "title": "Try again"],
      "go": ["type": "null", "x-role": "trigger", "title": "Go"],
    ],
    "outputs": [:],
    "events": [
      "removed": ["type": "string", "x-role": "notice", "x-actions": ["undo"]],
      "broken": [
        "type": "object", "x-role": "failure", "x-message": "text", "x-retry": "retry",
        "x-retryable": "helps",
      ],
    ],
  ]

  /// The messages after an event.
  private func follow(
    _ event: String, _ value: Value, _ check: (News, FakeCore, RemoteScreen) async throws -> Void
  ) async throws {
    let fake = FakeCore(Self.screen, output: [:])
    let (core, screen) = try await fake.start()
    let news = News()
    let following = Task { await news.follow(core) }
    // The task follows by the time of the response.
    try await core.settle()
    fake.send(event: event, value)
    while news.messages.isEmpty { await Task.yield() }
    try await check(news, fake, screen)
    await core.close()
    await following.value
  }

  @Test func noticeOffersItsActions() async throws {
    try await follow("removed", "Milk was removed") { news, fake, screen in
      let message = try #require(news.messages.first)
      #expect(message.text == "Milk was removed" && !message.stays)
      #expect(news.passing?.id == message.id)
      try #require(message.buttons.map(\.title) == ["Undo"])
      news.press(message.buttons[0], message)
      #expect(news.messages.isEmpty)
      _ = try await screen.input("go")
      #expect(fake.sent.map(\.name) == ["undo", "go"])
    }
  }

  @Test func failureOffersToTryAgain() async throws {
    try await follow("broken", ["text": "No connection.", "helps": true]) { news, _, _ in
      let message = try #require(news.messages.first)
      #expect(message.text == "No connection." && message.stays && news.passing == nil)
      #expect(message.buttons.map(\.title) == ["Try again"])
      news.remove(message)
      #expect(news.messages.isEmpty)
    }
  }

  @Test func failureForGoodOffersNothing() async throws {
    try await follow("broken", ["text": "It is gone.", "helps": false]) { news, _, _ in
      let message = try #require(news.messages.first)
      #expect(message.buttons.isEmpty && !message.stays)
    }
  }

  @Test func inputOfAnEventIsNoButtonOfTheScreen() async throws {
    let (core, screen) = try await FakeCore(Self.screen, output: [:]).start()
    let plan = ScreenPlan(of: screen, try #require(core.description))
    #expect(plan.items.map(\.id) == ["button go"])
    await core.close()
  }
}
