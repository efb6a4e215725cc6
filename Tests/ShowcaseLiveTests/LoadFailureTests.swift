import Foundation
import OffstageLive
import Testing

@testable import Showcase
@testable import ShowcaseLive

/// The app's words for the errors of `OffstageLive`.
@Suite struct LoadFailureTests {
  @Test(arguments: [
    (HTTPError.Reason.unreachable("x"), LoadFailure.Reason.offline, true),
    (.refused, .refused, true), (.proxy("x"), .proxy, true), (.lost, .interrupted, true),
    (.truncated, .interrupted, true), (.timedOut, .timedOut, true),
    (.tooLarge(limit: 1), .malformed, false), (.malformed("x"), .malformed, false),
    (.wrongType("text/html", expected: "JSON"), .webPage, true),
    (.wrongType("text/plain", expected: "JSON"), .malformed, false),
    (.untrusted("x"), .untrusted, true), (.certificateDate("x"), .certificateDate, true),
    (.unknownAuthority("x"), .unknownAuthority, true), (.redirect("x"), .redirected, false),
    (.invalid("x"), .malformed, true), (.other("x"), .unsent, true),
    (.status(302), .malformed, false), (.status(400), .rejected, false),
    (.status(401), .unauthorized, false), (.status(402), .quota, true),
    (.status(403), .unauthorized, false), (.status(404), .notFound, false),
    (.status(407), .proxy, false), (.status(410), .notFound, false),
    (.status(422), .rejected, false), (.status(429), .rateLimited, true),
    (.status(500), .server, true), (.status(503), .server, true),
  ])
  func failedRequestHasItsReason(
    reason: HTTPError.Reason, expected: LoadFailure.Reason, isRetryable: Bool
  ) throws {
    let url = try #require(URL(string: "http://kim:s3cret@h/a?key=s3cret"))
    let failure = LoadFailure(HTTPError(reason, url))
    #expect(failure.reason == expected)
    #expect(failure.retryable == isRetryable)
    #expect(failure.detail.contains("http://h/a"))
    #expect(!failure.detail.contains("s3cret"))
  }

  /// The codes for a busy database, a full disk, a server that is away, and a violated constraint.
  @Test(arguments: [
    (SQLError.Code.sqlite(5), LoadFailure.Remedy?.some(.busy)), (.sqlite(13), .diskFull),
    (.sqlite(19), nil), (.postgreSQL("40001"), .busy), (.postgreSQL("57014"), .busy),
    (.postgreSQL("53100"), .diskFull), (.postgreSQL("57P03"), .away),
    (.postgreSQL("08006"), .away), (.postgreSQL(nil), .away), (.postgreSQL("23505"), nil),
  ])
  func failedStatementHasItsRemedy(code: SQLError.Code, remedy: LoadFailure.Remedy?) throws {
    let error = LoadFailure.map(SQLError(code, "x", "SELECT 1"))
    let failure = try #require(error as? LoadFailure)
    #expect(failure.reason == .storage)
    #expect(failure.remedy == remedy)
    #expect(failure.retryable == (remedy != nil))
    #expect(!failure.detail.contains("SELECT"))
  }
}
