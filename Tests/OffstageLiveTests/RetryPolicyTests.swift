import Testing

@testable import LiveTestSupport
@testable import OffstageLive

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
  func delayGrowsWithEachAttempt(
    attempt: Int, jitter: Double, asked: Duration?, expected: Duration?
  ) {
    let policy = RetryPolicy(attempts: 2000, jitter: { jitter })
    #expect(policy.delay(after: attempt, asked: asked) == expected)
  }
}

@Suite struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let now = Duration.seconds(784_111_777)

  @Test(arguments: [
    ("0", Duration.zero),
    (" 120 ", .seconds(120)),
    ("Sun, 06 Nov 1994 08:50:07 GMT", .seconds(30)),
    ("Sun, 06 Nov 1994 08:49:07 GMT", .zero),
    ("-1", nil),
    ("1.5", nil),
    ("soon", nil),
    ("", nil),
  ])
  func headerIsSecondsOrADate(header: String, expected: Duration?) {
    #expect(HTTPError.Reason.wait(header, now: Self.now) == expected)
  }
}
