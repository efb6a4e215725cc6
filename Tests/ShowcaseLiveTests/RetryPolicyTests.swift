import Testing

@testable import ShowcaseLive

@Suite struct RetryPolicyTests {
  @Test(arguments: [
    (1, 0.0, Duration?.none, Duration?.some(.milliseconds(250))),
    (1, 1.0, nil, .milliseconds(500)),
    (2, 1.0, nil, .seconds(1)),
    (3, 0.5, nil, .milliseconds(1500)),
    (1000, 1.0, nil, .seconds(30)),
    (1, 0.5, .seconds(7), .seconds(7)),
    (1, 0.5, .seconds(30), .seconds(30)),
    (1, 0.5, .seconds(31), nil),
    (2000, 1.0, nil, nil),
    (2000, 1.0, .zero, nil),
  ])
  func delay(attempt: Int, jitter: Double, asked: Duration?, expected: Duration?) {
    let policy = RetryPolicy(attempts: 2000, jitter: { jitter })
    #expect(policy.delay(after: attempt, asked: asked) == expected)
  }
}
