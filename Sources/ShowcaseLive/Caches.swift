package import Offstage
import OffstageFoundation
package import OffstageLive
import Showcase

extension HTTPClient {
  /// Creates a client whose requests fail with `LoadFailure`.
  package static func showcase(
    timeout: Duration = .seconds(10), attempts: Int = 3, bodyLimit: Int = 8 << 20,
    clock: CoreClock? = nil
  ) -> HTTPClient {
    HTTPClient(
      userAgent: "showcase", timeout: timeout, attempts: attempts, bodyLimit: bodyLimit,
      clock: clock, mapError: LoadFailure.map)
  }
}

extension ResponseCache {
  func fetch<Response: Codable & Sendable>(_ url: URL) -> Fetch<Response> {
    Fetch {
      try await cached(url)
    } current: {
      try await current(url)
    }
  }
}

extension PictureCache: ImageRepository {
  package func localURL(of url: String) async throws -> String {
    guard let remote = URL(string: url), remote.isHTTP else {
      throw LoadFailure(
        .malformed, "The address of a picture must be http or https.", retryable: false)
    }
    return try await uri(of: remote)
  }
}

/// Rows that are counted once something has ended that they may be changed by.
struct LateRows<Row: Identifiable & Codable & Equatable & Sendable>: RowProvider {
  let stored: any RowProvider<Row>
  let wait: @CoreActor () async throws -> Void

  func count() async throws -> Int {
    try await wait()
    return try await stored.count()
  }

  func rows(in range: Range<Int>) async throws -> [Row] { try await stored.rows(in: range) }
}
