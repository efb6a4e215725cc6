internal import Offstage
internal import OffstageJSON

/// Keeps where the user is, so that another process can go on from there.
@CoreActor
protocol Place: AnyObject {
  var state: JSON? { get }

  /// That this host has the session; nil if no other one could.
  var lease: SessionLease? { get }

  func noteStart()

  /// Leaves the session, which has not started, to the next front end.
  func putBack()

  /// Keeps what has changed, before it leaves the process.
  func keep(_ session: Session)

  func handleNext(_ session: Session)

  /// True if nothing has to be kept until the state changes again.
  var isQuiet: Bool { get }

  /// Notes that one of many sessions has come to rest, and leaves its memory to the others.
  func rest()

  func addWaits(to waits: inout Waits)

  /// Gives the session up, since a front end has seen more of it than this host has.
  /// - Returns: False if no other host could have it.
  func giveUp() -> Bool

  func end(_ session: Session)
}

extension Place {
  var lease: SessionLease? { nil }
  func putBack() {}
  func giveUp() -> Bool { false }
}
