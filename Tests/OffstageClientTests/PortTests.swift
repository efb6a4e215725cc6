import OffstageClient
import Testing

/// What a front end sends for a row.
@Suite struct PortTests {
  private let lists = AppDescription([
    "x-screens": [
      "songs": [
        "inputs": [
          "songTapped": [
            "type": "integer", "x-role": "row", "x-rows": [["list": "songs", "member": "id"]],
          ],
          "cardTapped": [
            "x-role": "row",
            "x-rows": [
              [
                "list": "shelves/*/cards",
                "members": ["shelf": "shelves/*/id", "card": "shelves/*/cards/*/id"],
              ]
            ],
          ],
          "songMoved": [
            "x-role": "move",
            "x-rows": [["list": "songs", "members": ["id": "songs/*/id"], "before": "next"]],
          ],
          "passwordText": ["type": "string", "x-role": "text", "x-secret": true],
        ]
      ]
    ]
  ])["songs"]

  private func rows(_ name: String) throws -> PortDescription.Rows {
    try #require(lists.inputs.first { $0.name == name }?.rows.first)
  }

  @Test func rowsAreNamedByTheirMembers() throws {
    #expect(try rows("songTapped").value(of: ["id": 7]) == 7)
    let card = try rows("cardTapped").value(of: ["id": "c"], in: [["id": 2]])
    #expect(card == ["shelf": 2, "card": "c"])
  }

  @Test func movesNameTheRowBelow() throws {
    let move = try rows("songMoved")
    #expect(move.value(moving: ["id": 7], before: ["id": 3]) == ["id": 7, "next": 3])
    #expect(move.value(moving: ["id": 7], before: nil) == ["id": 7, "next": nil])
    #expect(lists.rowInputs(of: "songs", .move).map(\.name) == ["songMoved"])
    #expect(lists.rowInputs(of: "songs").map(\.name) == ["songTapped"])
  }

  @Test func secretsAreMarked() {
    #expect(lists.inputs.filter(\.isSecret).map(\.name) == ["passwordText"])
  }
}
