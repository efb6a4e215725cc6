import Offstage

/// What mocks were asked for, in order, over all of them that share it.
@CoreActor
final class Calls {
  private(set) var all: [String] = []

  func note(_ call: String) { all.append(call) }

  func removeAll() { all = [] }
}
