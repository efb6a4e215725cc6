/// The request behind whatever happens: kept by all that it starts, so that a late frame can name
/// it and a front end can wait for its end.
@CoreActor
package final class Cause {
  /// The id of the request as JSON text; nil for a notification.
  @exclusivity(unchecked) package fileprivate(set) var id: String?

  /// How many effects and timers that it started, however indirectly, have not ended.
  private var unfinished = 0

  package init(id: String?) { self.id = id }

  /// Whether all that it started has ended, as it has where nothing was started.
  package var isFinished: Bool { unfinished == 0 }

  func began() { unfinished += 1 }

  func ended() { unfinished -= 1 }
}

extension Cause? {
  /// Makes it the cause of another request, without an allocation if nobody remembers the one before.
  @CoreActor
  mutating func become(id: String?) {
    if isKnownUniquelyReferenced(&self), let cause = self {
      cause.id = id
    } else {
      self = Cause(id: id)
    }
  }
}
