internal import Offstage
internal import OffstageJSON
internal import OffstageRPC

/// What a method answers.
enum Answer {
  /// The document's revision, after every frame that the request caused at once.
  case revision
  /// A result of its own.
  case now((inout JSONWriter) -> Void)
  /// The revision, once a condition is met.
  case once(Condition)

  enum Condition {
    /// Nothing more will happen until a person, a device or the clock acts.
    case settled
    /// All that the request started has ended.
    case finished
    /// The clock stands at this time.
    case advanced(to: Duration)
  }
}

/// A request that waits for its response.
struct WaitingRequest {
  /// Nil for a notification: it is waited for, but not answered.
  let slot: ResponseSlot?
  let condition: Answer.Condition
  let cause: Cause?
}

/// Where a response goes.
enum ResponseSlot {
  case line(RPCID)
  case batch(RPCBatch, RPCID)

  /// Where the response to a line of its own goes; nil for a notification.
  init?(_ id: RPCID?) {
    guard let id else { return nil }
    self = .line(id)
  }

  var id: RPCID {
    switch self {
    case .line(let id), .batch(_, let id): id
    }
  }
}

extension Result<RPCCall, RPCInvalidRequest> {
  /// Whether it has an id, and so a response.
  var isAnswered: Bool {
    switch self {
    case .success(let call): call.id != nil
    case .failure(let refusal): refusal.id != nil
    }
  }
}
