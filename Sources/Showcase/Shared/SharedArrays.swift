import Offstage

/// The arrays that screens have asked for last. Those that are equal are one in memory: most
/// sessions of a host show the same.
@CoreActor
final class SharedArrays<Element: Equatable & Sendable> {
  /// The newest at the end.
  private var known: [[Element]] = []
  private static var most: Int { 32 }

  /// Returns the array that is known and equal, or else this one.
  func shared(_ array: [Element]) -> [Element] {
    if array.isEmpty { return array }
    let shared = known.lastIndex(of: array).map { known.remove(at: $0) } ?? array
    if known.count == Self.most { known.removeFirst() }
    known.append(shared)
    return shared
  }

  /// Returns a page with the items that are known and equal, or else this one.
  func shared(_ page: Page<Element>) -> Page<Element> {
    var page = page
    page.items = shared(page.items)
    return page
  }
}
