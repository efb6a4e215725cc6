import Foundation
import Testing

@testable import ShowcaseLive

@Suite struct RetryAfterTests {
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  private static let now = Date(timeIntervalSince1970: 784_111_777)

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
  func duration(header: String, expected: Duration?) {
    #expect(RetryAfter.duration(header, now: Self.now) == expected)
  }
}
