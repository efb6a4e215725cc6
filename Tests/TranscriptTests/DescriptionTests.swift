import Foundation
import Offstage
import OffstageHost
import ShowcaseMain
import Testing

/// The machine-readable contract in the repository is that of this build.
@Suite struct DescriptionTests {
  @Test @CoreActor func theDescriptionIsUpToDate() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Protocol/openrpc.json")
    let kept = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? NSDictionary
    let now =
      try JSONSerialization.jsonObject(
        with: Data(Main.program.describe(["--deterministic"]).utf8)) as? NSDictionary
    #expect(
      kept == now,
      "Protocol/openrpc.json is stale: showcase describe | jq . > Protocol/openrpc.json")
  }
}
