import Offstage
import OffstageTesting
import Testing

/// Whatever is done in whatever order, the document names every screen once, every ending is heard
/// of once, and nothing is left in the end.
@Suite @CoreActor struct RandomNavigationTests {
  @Test(arguments: [1, 2] as [UInt64])
  func nothingIsLostAndNothingIsLeft(seed: UInt64) async throws {
    let walk = try RandomWalk(seed: seed)
    for step in 0..<10_000 {
      let action = walk.act()
      let problems = walk.problems()
      #expect(problems == [], "step \(step), \(action): \(walk.core.core.navigation)")
      guard problems.isEmpty else { return }
      if step.isMultiple(of: 20) { await walk.core.turn() }
      if step.isMultiple(of: 50) { await walk.core.advance(by: .seconds(2)) }
    }
    #expect(walk.core.core.screens.count > 1)
    walk.core.closeAll()
    await walk.core.turn()
    #expect(walk.core.liveCounts == (0, 0, 0))
    #expect(walk.core.prompts == [])
    #expect(walk.livePages == 0)
    #expect(walk.unheardEndings == 0)
    #expect(walk.endings > 1_000, "the walk should have shown and closed many screens")
  }
}
