import Offstage

/// Lets everything run that is due, without waiting for what a repository still owes: a call too many
/// fails a test then, and does not hang it.
@CoreActor
func turns() async {
  for _ in 0..<20 { await Task.yield() }
}
