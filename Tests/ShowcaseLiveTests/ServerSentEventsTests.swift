import Testing

@testable import ShowcaseLive

@Suite struct ServerSentEventsTests {
  @Test(
    arguments: [
      ("data: a\n\ndata: b\n\n", ["a", "b"]),
      ("data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]),
      ("data: a\r\rdata: b\r\r", ["a", "b"]),
      ("\u{FEFF}data: a\n\n", ["a"]),
      ("data:a\n\n", ["a"]),
      ("data:  a \n\n", [" a "]),
      ("data: a\ndata: b\n\n", ["a\nb"]),
      ("data\n\n", [""]),
      ("data: a: b\n\n", ["a: b"]),
      (": comment\nevent: x\nid: 1\nretry: 5\ndata: a\n\n", ["a"]),
      ("event: x\n\n", []),
      ("event: ping\ndata: now\n\ndata: a\n\n", ["a"]),
      ("event:ping\n\ndata: a\n\n", ["a"]),
      ("\n\n\n", []),
      ("dataset: a\n\n", []),
      ("data: 한글 👩‍🍳\n\n", ["한글 👩‍🍳"]),
      // An event that its empty line does not end is complete at the end of the stream only.
      ("data: a\n\ndata: b\n", ["a"]),
    ])
  func eventsAreReadHoweverTheirLinesEnd(text: String, expected: [String]) throws {
    var whole = ServerSentEvents()
    #expect(try whole.take(text.utf8) == expected)
    // The same if they are cut anywhere.
    var cut = ServerSentEvents()
    var events: [String] = []
    for byte in text.utf8 { events += try cut.take([byte]) }
    #expect(events == expected)
  }

  @Test(arguments: [
    ("data: b\n", "b"), ("data: b", "b"), ("data: b\ndata: c", "b\nc"), (": x", nil), ("", nil),
    ("data: a\n\n", nil),
  ])
  func endOfStreamEndsTheLastEvent(text: String, data: String?) throws {
    var events = ServerSentEvents()
    _ = try events.take(text.utf8)
    #expect(try events.finish() == data)
  }

  @Test func invalidUTF8IsRefused() {
    var events = ServerSentEvents()
    #expect(throws: ServerSentEvents.Failure.invalidUTF8) {
      try events.take(Array("data: ".utf8) + [0xFF] + Array("\n\n".utf8))
    }
  }

  /// Copying the event for each line would take minutes.
  @Test(.timeLimit(.minutes(5))) func eventOfManyLinesIsReadInOnePass() throws {
    var events = ServerSentEvents()
    let lines = ServerSentEvents.limit - "data:".utf8.count
    _ = try events.take(repeatElement(Array("data:\n".utf8), count: lines).joined())
    #expect(try events.take("\n".utf8).first?.utf8.count == lines - 1)
  }

  @Test func anEndlessEventIsRefused() {
    var events = ServerSentEvents()
    #expect(throws: ServerSentEvents.Failure.tooLong) {
      try events.take(repeatElement(UInt8(ascii: "x"), count: ServerSentEvents.limit + 1))
    }
  }
}
