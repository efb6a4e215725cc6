import Offstage
import OffstageTesting

extension TestCore {
  /// Lets the present turn end, and all that is due run.
  func turn() async {
    await Task.yield()
    await settle()
    await Task.yield()
  }

  /// Has `note` look at the changes of every turn, in place of a front end.
  func watch(_ note: @escaping (Changes) -> Void) {
    let turnEnded = core.onTurnEnd
    core.onTurnEnd = { [weak core] in
      if let core, core.hasChanges { core.publish { note($0) } }
      turnEnded()
    }
  }
}
