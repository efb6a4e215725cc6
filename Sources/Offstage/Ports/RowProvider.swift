/// The rows of a list that is longer than anybody looks at; see ``Rows/windowed(_:fromEnd:)``.
///
/// The query of a database is one (`DatabaseRows`), and so is a service that returns rows by their
/// positions:
/// ```swift
/// struct Stars: RowProvider {
///   let catalog: StarCatalog
///
///   func count() async throws -> Int { try await catalog.size }
///   func rows(in range: Range<Int>) async throws -> [Star] { try await catalog.stars(range) }
/// }
/// ```
/// It is asked while the core goes on with other work, so it must not block the core's thread; see
/// ``Effects/offCore(_:)``. If the window moves, the task of the query is canceled.
@CoreActor
public protocol RowProvider<Row> {
  associatedtype Row: Identifiable & Codable & Equatable & Sendable

  /// Returns the number of all rows. It is asked once, and again after a change of unknown positions.
  func count() async throws -> Int

  /// Returns the rows at some positions; fewer if the list has become shorter.
  func rows(in range: Range<Int>) async throws -> [Row]

  /// Sends what has changed, once ``count()`` and ``rows(in:)`` reflect it; nothing by default.
  var changes: Signal<RowChange> { get }
}

extension RowProvider {
  /// Sends nothing.
  public var changes: Signal<RowChange> { Signal { _ in Subscription() } }

  /// Returns the rows that a function makes of these, such as their words in the user's language.
  public func map<Other>(
    _ transform: @escaping @CoreActor (Row) -> Other
  ) -> some RowProvider<Other> where Other: Identifiable & Codable & Equatable & Sendable {
    MappedRows(source: self, transform: transform)
  }
}

private struct MappedRows<Source: RowProvider, Row>: RowProvider
where Row: Identifiable & Codable & Equatable & Sendable {
  let source: Source
  let transform: @CoreActor (Source.Row) -> Row

  var changes: Signal<RowChange> { source.changes }
  func count() async throws -> Int { try await source.count() }
  func rows(in range: Range<Int>) async throws -> [Row] {
    try await source.rows(in: range).map(transform)
  }
}

/// A change of the rows behind a window.
public enum RowChange: Hashable, Sendable {
  /// There are new rows, which are at these positions now.
  case inserted(Range<Int>)
  /// The rows that were at these positions are gone.
  case removed(Range<Int>)
  /// The rows at these positions have other content.
  case updated(Range<Int>)
  /// Something has changed. The window is loaded again, and follows the rows that it shows if they
  /// have moved by less than its length.
  case unknown
}

/// The part of a list that the document contains.
package struct RowWindow: Hashable, Sendable {
  /// The number of all rows; nil until it is known.
  package internal(set) var count: Int?
  /// The position of the first row in the window.
  package internal(set) var first = 0
  /// Why the rows that the front end shows could not be loaded, in the user's language; nil if they
  /// could. The rows from before stay.
  package internal(set) var failure: String?

  /// The positions that a window can start at.
  package static let positions = 0...(1 << 53)
  /// The numbers of rows that it can have.
  package static let lengths = 1...1_000
}
