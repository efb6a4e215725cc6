import Offstage

/// What a source told since the test began to listen.
@CoreActor
final class Events<Value> {
  private(set) var values: [Value] = []

  init(of source: some Source<Value>) {
    source.observe { [weak self] in self?.values.append($0) }
  }
}
