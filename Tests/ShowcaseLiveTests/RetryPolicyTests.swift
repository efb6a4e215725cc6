import Testing

@testable import ShowcaseLive

@Suite struct RetryPolicyTests {
  @Test(arguments: [
    (1, 0.0, Duration?.none, Duration.milliseconds(250)),
    (1, 1.0, nil, .milliseconds(500)),
    (2, 1.0, nil, .seconds(1)),
    (3, 0.5, nil, .milliseconds(1500)),
    (1000, 1.0, nil, .seconds(30)),
    (1, 0.5, .seconds(7), .seconds(7)),
    (1, 0.5, .seconds(3600), .seconds(30)),
  ])
  func delay(attempt: Int, jitter: Double, asked: Duration?, expected: Duration) {
    let policy = RetryPolicy(jitter: { jitter })
    #expect(policy.delay(after: attempt, asked: asked) == expected)
  }
}
