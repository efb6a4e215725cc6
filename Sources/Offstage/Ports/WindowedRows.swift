internal import OffstageJSON

extension Rows {
  /// Creates a list that is longer than anybody looks at. The document contains a window of it: the
  /// rows that the front end shows, and a few around them.
  ///
  /// ``load(from:failure:fileID:line:)`` fills it.
  /// ```swift
  /// struct Output: Ports { let places = Rows<Place>.windowed() }
  ///
  /// init(store: PlaceStore) { output.places.load(from: store.places) }
  /// ```
  /// Scrolling by a row costs a row, and a jump costs a window. A change outside of the window changes
  /// at most ``total`` and the position of the window, and rows that come and go above it do not move
  /// what it shows. After a restart of the core, the window is where it was.
  ///
  /// A row in the window can be changed in place, once the provider returns it so: a text that arrives
  /// piece by piece costs what ``append(_:to:of:)`` adds, and is not loaded again.
  /// - Parameters:
  ///   - meaning: What the list means, where its name and type do not tell.
  ///   - fromEnd: True for a list that is read from its end, such as a chat: it opens there. While the
  ///     last row is in the window, rows that are added below it come into the window, too.
  public static func windowed(_ meaning: Meaning = [], fromEnd: Bool = false) -> Rows {
    let rows = Rows(meaning)
    rows.source = Window(rows, isFromEnd: fromEnd)
    return rows
  }

  /// The number of all rows, in the window or not; nil until it is known.
  public var total: Int? {
    noteRead()
    return if let source { source.shown.count } else { count }
  }

  /// Shows the rows of a provider. The rows of another provider stay until the new ones arrive, and
  /// the window goes back to where the list opens. If the provider fails, the front end shows the text that
  /// `failure` returns, and offers to try again.
  /// - Precondition: The list was created with ``windowed(_:fromEnd:)``.
  public func load(
    from provider: some RowProvider<Row>,
    failure: @escaping (any Error) -> LocalizedText = { "\($0)" },
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    guard let source else {
      fatalError(
        "the list \(label) shows all of its rows: declare it as Rows<\(Row.self)>.windowed()",
        file: fileID, line: line)
    }
    source.load(from: provider, failure, fileID, line)
  }

  /// Loads the window again, for example when the user asks for it.
  public func reload() { source?.note(.unknown) }
}

extension Rows: Keeper {
  var keptName: String? { node == nil ? nil : "output/\(name)" }

  func writeKept(to writer: inout JSONWriter) {
    if let source { writer.json(source.state) }
  }
}

/// A list of which the document contains a window.
@CoreActor
package protocol WindowPort: AnyObject {
  /// Shows rows, or as many as there are, and tries again if that has failed before.
  /// - Returns: The positions of the rows, as far as the length of the list is known.
  func show(first: Int, count: Int) -> Range<Int>

  /// True if the list opens at its end.
  var isFromEnd: Bool { get }
}

/// Fills the window of a list from its provider.
///
/// A front end asks for rows (`show`), and the provider tells what has changed (`note`). Both only say
/// what the window is to contain (`wanted`). One task at a time then loads it as a whole, and compares
/// it with what is shown: so scrolling, a jump, and a change in the middle take the same way.
/// ```
/// front end ── show ──▶ wanted ──▶ load ──▶ Rows.reset ──▶ rows ┐
/// provider ─── note ──▶ total  ──────┘                          ├──▶ the next frame
///                 └──── outside of the window ────▶ count, first ┘
/// ```
final class Window<Row: Identifiable & Codable & Equatable & Sendable>: WindowPort
where Row.ID: Sendable {
  /// What the document shows.
  private(set) var shown = RowWindow()
  /// What the document showed in the newest frame.
  private var published = RowWindow()
  /// True while the list takes the rows of the provider.
  private(set) var isFilling = false

  package let isFromEnd: Bool
  /// Ports and their screens end together, and the work of a screen before them.
  private unowned let rows: Rows<Row>
  private let owner = ScreenNode.current
  private var provider: (any RowProvider<Row>)?
  private var failureText: ((any Error) -> LocalizedText)?
  private var failure: LocalizedText? { didSet { showFailure() } }
  private var changes: Subscription?
  private var work: EffectHandle?

  /// The rows that the document is to show: the first one, or `end` for the last ones, and how many.
  private var wanted: (first: Int, count: Int)
  /// The number of all rows; nil until the provider has been asked.
  private var total: Int?
  /// True if the provider has changed since it was last asked for rows.
  private var isOutdated = false
  /// True if rows below those in the window are all that is to be loaded.
  private var isLonger = false

  init(_ rows: Rows<Row>, isFromEnd: Bool) {
    self.rows = rows
    self.isFromEnd = isFromEnd
    wanted = (isFromEnd ? Self.end : 0, 50)
    guard let owner, let saved = owner.saved(for: rows),
      let first = saved["first"]?.int, let count = saved["count"]?.int,
      RowWindow.positions ~= first, RowWindow.lengths ~= count
    else { return }
    wanted = (first, count)
    if !isAtEnd { shown.first = first }
  }

  /// The first row of a window that stays at the end of a list which is read from there: beyond all
  /// positions of such a window.
  private static var end: Int { RowWindow.positions.upperBound }

  private var isAtEnd: Bool { isFromEnd && wanted.first == Self.end }

  /// The window, for the next start.
  var state: JSON { ["first": .int(wanted.first), "count": .int(wanted.count)] }

  func load(
    from provider: any RowProvider<Row>, _ failureText: @escaping (any Error) -> LocalizedText,
    _ fileID: StaticString, _ line: UInt
  ) {
    let node = owner ?? rows.node ?? ScreenNode.beingCreated(for: "load(from:)", fileID, line)
    guard node.isOpen else { return }
    if work == nil {
      work = Effects(of: node).task(.latest, name: "window")
      node.keep(node.core.locale.changes.add { [weak self] _ in self?.showFailure() })
    } else {
      (wanted.first, total) = (isFromEnd ? Self.end : 0, nil)
      noteWindow()
    }
    changes?.cancel()
    self.provider = provider
    self.failureText = failureText
    changes = provider.changes.subscribe { [weak self] in self?.note($0) }
    fill()
  }

  /// Releases the provider.
  func end() {
    changes?.cancel()
    (provider, failureText, changes) = (nil, nil, nil)
  }

  private var isLoading: Bool { work?.isRunning == true }

  private func noteWindow() {
    if rows.keeperIndex >= 0 { rows.node?.noteKept(at: rows.keeperIndex) }
  }

  private func noteChange() { rows.noteChange() }

  private func showFailure() {
    let text = failure?(rows.node?.core.userLocale.language ?? "en")
    guard text != shown.failure else { return }
    shown.failure = text
    noteChange()
  }

  // MARK: What the front end asks for

  package func show(first: Int, count: Int) -> Range<Int> {
    let range = clamped(first, count, to: total)
    let new = (place(of: range), count)
    if new != wanted {
      wanted = new
      noteWindow()
      fill()
    } else if failure != nil, !isLoading {
      fill()
    }
    return range
  }

  /// The `first` of a window for some rows.
  private func place(of range: Range<Int>) -> Int {
    isFromEnd && range.upperBound == total ? Self.end : range.lowerBound
  }

  /// Returns the positions of a number of rows that there are. A window that is too far down is the
  /// last one.
  private func clamped(_ first: Int, _ count: Int, to total: Int?) -> Range<Int> {
    guard let total else { return first..<first + count }
    let count = min(count, total)
    let first = min(first, total - count)
    return first..<first + count
  }

  // MARK: What the provider tells

  /// Notes that a row has been changed in place.
  func noteContent() {
    // The rows on their way may be those from before.
    if isLoading, !isFilling { isOutdated = true }
  }

  func note(_ change: RowChange) {
    guard provider != nil else { return }
    // The rows on their way may be those from before or after the change.
    if isLoading { isOutdated = true }
    if case .removed(let range) = change { drop(range) }
    guard let total, let isVisible = follow(change, of: total) else {
      total = nil
      return fillAfterChange()
    }
    if isVisible {
      var isBelow = false
      if isAtEnd, case .inserted(let range) = change { isBelow = range.lowerBound == total }
      return fillAfterChange(isBelow)
    }
    if !isLoading, shown.count != self.total {
      shown.count = self.total
      noteChange()
    }
  }

  /// Removes rows at once, not with the next ones that arrive: they may be another user's. Where the
  /// positions are no longer known, rows that are still there come back with the next ones.
  private func drop(_ range: Range<Int>) {
    let start = shown.first
    let gone = range.clamped(to: start..<start + rows.list.tree.count)
    guard !gone.isEmpty else { return }
    isFilling = true
    for _ in gone { rows.remove(rows.list.tree.element(at: gone.lowerBound - start).id) }
    isFilling = false
    shown.count = shown.count.map { max($0 - range.count, 0) }
  }

  /// Moves the window with the rows that it shows.
  /// - Returns: True if the change is within the window; nil if its positions are unknown or
  ///   impossible.
  private func follow(_ change: RowChange, of total: Int) -> Bool? {
    let length = rows.list.tree.count
    // All changes below are within a window that has room for more rows.
    let end = length < wanted.count ? Int.max : shown.first + length
    switch change {
    case .inserted(let range):
      guard (0...total).contains(range.lowerBound) else { return nil }
      self.total = total + range.count
      if isAtEnd, range.lowerBound == total {
        follow(to: total + range.count)
        return true
      }
      let isBelow = range.lowerBound >= end
      if !isAtEnd { wanted.first = moved(wanted.first, by: range) }
      move(to: moved(shown.first, by: range))
      return !isBelow && range.upperBound > shown.first
    case .removed(let range):
      guard range.lowerBound >= 0, range.upperBound <= total else { return nil }
      self.total = total - range.count
      let isVisible = range.upperBound > shown.first && range.lowerBound < end
      if !isAtEnd { wanted.first -= range.clamped(to: 0..<wanted.first).count }
      move(to: shown.first - range.clamped(to: 0..<shown.first).count)
      return isVisible
    case .updated(let range): return range.upperBound > shown.first && range.lowerBound < end
    case .unknown: return nil
    }
  }

  /// Makes room in a window at the end for the rows that are added below. Those above stay, since the
  /// user may look at them.
  /// - Parameter total: The number of all rows then.
  private func follow(to total: Int) {
    wanted.count = max(wanted.count, min(total - shown.first, RowWindow.lengths.upperBound))
  }

  /// The new position of the first row of a window. At the start of the list, a few new rows come into
  /// the window.
  private func moved(_ first: Int, by inserted: Range<Int>) -> Int {
    let isAbove = inserted.lowerBound <= first && (first > 0 || inserted.count >= wanted.count)
    return isAbove ? first + inserted.count : first
  }

  private func move(to first: Int) {
    guard first != shown.first else { return }
    shown.first = first
    noteWindow()
    noteChange()
  }

  // MARK: Loading

  /// The number of times that the rows are asked for at most, if the list changes meanwhile.
  private static var mostAttempts: Int { 3 }

  /// Loads the window. A window that has moved cancels the query before. After a change, the query
  /// that runs asks again by itself.
  private func fill() {
    isLonger = false
    load()
  }

  /// - Parameter isLonger: True if there are more rows below, and nothing else has changed.
  private func fillAfterChange(_ isLonger: Bool = false) {
    if isLoading {
      self.isLonger = self.isLonger && isLonger
    } else {
      self.isLonger = isLonger && failure == nil
      load()
    }
  }

  private func load() {
    isOutdated = false
    work?.run { [self] in
      try await loadWindow()
    } catch: { [self] error in
      failure = failureText?(error)
    }
  }

  private func loadWindow() async throws {
    guard let provider else { return }
    for attempt in 1...Self.mostAttempts {
      let isLast = attempt == Self.mostAttempts
      isOutdated = false
      let isRecounted = total == nil
      if isRecounted {
        let count = try await provider.count()
        try Task.checkCancellation()
        total = max(count, 0)
        if isAtEnd, shown.count != nil { follow(to: count) }
      }
      let range = clamped(wanted.first, wanted.count, to: total)
      if range.lowerBound < shown.first { isLonger = false }
      let kept = isLonger ? shown.first + rows.list.tree.count : 0
      let missing = max(range.lowerBound, min(kept, range.upperBound))..<range.upperBound
      var new = missing.isEmpty ? [] : try await provider.rows(in: missing)
      try Task.checkCancellation()
      if isOutdated, !isLast { continue }
      if new.count > missing.count { new.removeLast(new.count - missing.count) }
      if new.count < missing.count {
        // The list has become shorter without a word.
        total = isLast ? missing.lowerBound + new.count : nil
        if !isLast { continue }
      }
      if isRecounted, !isLast, let first = followed(new, at: range), first != range.lowerBound {
        wanted.first = first
        continue
      }
      return take(new, at: missing.lowerBound, from: range.lowerBound)
    }
  }

  /// Returns where the window is to start so that its rows stay where the user looks at them; nil if
  /// none of them is left in it.
  private func followed(_ new: [Row], at range: Range<Int>) -> Int? {
    guard !isAtEnd, shown.count != nil, shown.first == range.lowerBound, shown.first > 0 else {
      return nil
    }
    let positions = Dictionary(new.enumerated().map { ($1.id, $0) }) { first, _ in first }
    for (index, row) in rows.list.tree.elements.enumerated() {
      if let position = positions[row.id] {
        return clamped(max(range.lowerBound + position - index, 0), wanted.count, to: total)
          .lowerBound
      }
    }
    return nil
  }

  /// Shows new rows, below those from `first` on that the window has.
  private func take(_ new: [Row], at position: Int, from first: Int) {
    isFilling = true
    if isLonger, position > first {
      for _ in shown.first..<first { rows.remove(rows.list.tree.element(at: 0).id) }
      rows.append(contentsOf: new)
    } else {
      rows.reset(to: new)
    }
    isFilling = false
    (shown.first, shown.count) = (first, total)
    wanted.first = place(of: first..<position + new.count)
    noteWindow()
    failure = nil
    noteChange()
  }

  // MARK: The document

  private var port: String { "The output \(rows.label)" }

  func write(to writer: inout JSONWriter, rows: (inout JSONWriter) -> Void) {
    published = shown
    writer.beginObject()
    writer.key("count")
    writer.value(shown.count, of: port)
    writer.key("first")
    writer.int(shown.first)
    writer.key("rows")
    rows(&writer)
    writer.key("failure")
    writer.value(shown.failure, of: port)
    writer.endObject()
  }

  /// - Parameter path: The JSON Pointer of the window in the document.
  func writeChanges(to writer: inout JSONWriter, at path: [UInt8]) {
    if shown.count != published.count {
      writer.replace(at: path.member("count")) { $0.value(shown.count, of: port) }
    }
    if shown.first != published.first {
      writer.replace(at: path.member("first")) { $0.int(shown.first) }
    }
    if shown.failure != published.failure {
      writer.replace(at: path.member("failure")) { $0.value(shown.failure, of: port) }
    }
    published = shown
  }
}
