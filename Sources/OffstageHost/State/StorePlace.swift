internal import Offstage
internal import OffstageJSON
internal import OffstageSystem

/// Keeps where the user is in a store that several hosts share.
///
/// ```text
/// a turn changes something ─▶ a change for the writer ─▶ the store has it ─▶ the frame of the turn leaves
/// ```
/// So whichever host goes on with the session loses nothing that the front end has seen. While the store
/// is away, frames leave nevertheless, and the next host goes on from what the store has.
@CoreActor
final class StorePlace: Place {
  let key: SessionKey
  private let writer: SessionWriter
  private let own: SessionLease
  var lease: SessionLease? { own }
  private(set) var state: JSON?
  /// The number of the last change, and of the last one that the store has.
  private var last: Int
  private var written: Int
  /// The bytes of the changes since the whole state was written.
  private var size = 0
  private var isGood = false
  private weak var session: Session?

  /// A whole state is written after so many bytes of changes.
  private static let mostChanges = 1 << 16

  /// - Parameter kept: What the store has; nil for a new session. A state that has led to deaths is set
  ///   aside.
  /// - Throws: An error for a change that does not fit.
  init(_ key: SessionKey, _ writer: SessionWriter, _ kept: KeptSession?) throws {
    (self.key, self.writer) = (key, writer)
    own = SessionLease(session: key.id, epoch: kept?.epoch ?? 1)
    (last, written) = (kept?.last ?? 0, kept?.last ?? 0)
    guard let kept, kept.starts <= FilePlace.earlyDeaths else { return }
    var state = JSON.null
    for change in kept.changes {
      size += change.utf8.count
      // A value of the deepest line is deeper in the state.
      let patch = try JSON(parsing: change, depth: 2 * Limits.deepest)
      try state.apply(patch)
    }
    if state != .null { self.state = state }
  }

  func noteStart() { writer.add(self) }

  /// The store has counted a start.
  func putBack() { noteGoodStart() }

  func keep(_ session: Session) {
    guard session.hasStateChanges else { return }
    var change = JSONWriter()
    var kind = session.core.hasKeptState ? SessionChange.Kind.part : .whole
    guard session.writeStateChanges(to: &change) else { return }
    size = kind == .whole ? 0 : size + change.bytes.count
    if size > Self.mostChanges || writer.isAway && kind == .part {
      (kind, size) = (.whole, 0)
      change = JSONWriter()
      change.json([["op": "replace", "path": "", "value": session.state]])
    }
    last += 1
    write(kind, String(change.bytes, from: 0))
    if writer.isAway {
      written = last
    } else {
      self.session = session
      session.publisher.output.hold(until: last)
    }
  }

  private func write(_ kind: SessionChange.Kind, _ patch: String = "") {
    writer.write(
      SessionChange(
        lease: own, visitor: key.visitor, number: last, kind: kind, patch: patch))
  }

  /// A later death says nothing about the state. A host that has lost the session says so, too: its start
  /// was no death, although others have followed.
  func noteGoodStart() {
    guard !isGood, last > 0 else { return }
    isGood = true
    write(.rest)
  }

  /// Lets the frames leave that tell of changes which the store has.
  /// - Parameter number: That of the last one; nil for all, since the store cannot be reached.
  func release(through number: Int?) {
    written = max(written, number ?? last)
    session?.publisher.output.release(through: written)
    session?.publisher.onOutput?()
  }

  /// Forgets what only the host with the session may tell.
  func lose() {
    session?.publisher.output.drop()
    session?.lostState()
    noteGoodStart()
  }

  func giveUp() -> Bool {
    writer.giveUp(self)
    return true
  }

  func handleNext(_ session: Session) {
    if !isGood, session.hasLoaded { noteGoodStart() }
  }

  func rest() {}
  func addWaits(to waits: inout Waits) {}
  var isQuiet: Bool { written == last }

  func end(_ session: Session) {
    keep(session)
    noteGoodStart()
  }
}
