#if FUZZING
  import Foundation
  import OffstageJSON
  import OffstageRPC
  import OffstageTranscripts
  @testable import ShowcaseLive
  import TestSupport

  /// A parser of untrusted bytes, with its invariants.
  enum ParserTarget: String, CaseIterable {
    case json, framing, transcripts, geojson, events

    /// The target that libFuzzer calls. It is static because libFuzzer passes no context.
    nonisolated(unsafe) private static var current = json

    /// Runs libFuzzer until it ends.
    func run(arguments: [String]) -> CInt {
      Self.current = self
      var argc = CInt(arguments.count)
      var argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(
        capacity: arguments.count + 1)
      for (index, argument) in arguments.enumerated() { argv![index] = strdup(argument) }
      argv![arguments.count] = nil
      return runLibFuzzer(&argc, &argv) { bytes, count in
        ParserTarget.current.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
        return 0
      }
    }

    private func check(_ bytes: [UInt8]) {
      switch self {
      case .json: checkJSON(bytes)
      case .framing: checkFraming(bytes)
      case .transcripts: checkTranscript(bytes)
      case .geojson: checkGeoJSON(bytes)
      case .events: checkEvents(bytes)
      }
    }
  }

  @_silgen_name("LLVMFuzzerRunDriver")
  private func runLibFuzzer(
    _ argc: UnsafeMutablePointer<CInt>,
    _ argv: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
  ) -> CInt

  /// Checks that every accepted text survives the round trip through the tree and the copy of a
  /// view, both on one line, and that the difference of two values leads from one to the other.
  private func checkJSON(_ bytes: [UInt8]) {
    guard let text = try? JSONText(bytes) else { return }
    text.withRoot { root in
      let tree = root.json
      let printed = tree.description
      require(!printed.utf8.contains(0x0A), "a printed tree has a line feed")
      require((try? JSON(parsing: printed)) == tree, "the printed tree is another one")
      var writer = JSONWriter()
      writer.view(root)
      let copy = [UInt8](writer.bytes)
      require(!copy.contains(0x0A) && !copy.contains(0x0D), "a copied view breaks the line")
      require((try? JSONText(copy))?.withRoot(\.json) == tree, "the copied view is another value")
      require((root.duplicateKey != nil) == hasDuplicateKey(root), "duplicate keys are missed")
      if let value = try? root.decode(Everything.self) {
        let encoded = JSON(encoding: value)
        require((try? JSON(parsing: encoded.description)) == encoded, "an encoding is not JSON")
      }
      if let pair = tree.array, pair.count == 2 {
        var writer = JSONWriter()
        writer.beginArray()
        writer.change(at: [], from: pair[0], to: pair[1])
        writer.endArray()
        let patch = try! JSON(parsing: String(writer.bytes))
        var document = pair[0]
        require((try? document.apply(patch)) != nil, "the difference does not apply")
        require(document == pair[1], "the difference leads elsewhere")
      }
    }
  }

  /// Finds duplicate names in a simpler way: with a set for each object.
  private func hasDuplicateKey(_ view: JSONView) -> Bool {
    let names = view.members.map { Array($0.key.string!.utf8) }
    return Set(names).count < names.count || view.elements.contains(where: hasDuplicateKey)
      || view.members.contains { hasDuplicateKey($0.value) }
  }

  /// A type with a member of every kind that decoding distinguishes.
  private struct Everything: Codable {
    struct Row: Codable { var id: String, count: Int?, nested: [Row]? }
    enum Choice: String, Codable, CaseIterable { case one, two }

    var name: String?, flag: Bool?, number: Double?, small: UInt8?, choice: Choice?
    var rows: [Row]?, byName: [String: Row]?, byNumber: [Int: Double]?
  }

  /// Checks that a cut in a stream does not affect its lines. The first byte says where to cut.
  private func checkFraming(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let cut = min(Int(first), bytes.count)
    func lines(_ chunks: [ArraySlice<UInt8>]) -> [String] {
      var reader = LineReader(limit: 32)
      var found: [String] = []
      func take(_ line: LineReader.Line) {
        switch line {
        case .text(let range, let number):
          found.append("\(number) \(reader.withBytes(of: range) { Array($0) })")
        case .tooLong(let number): found.append("\(number) too long")
        }
      }
      for chunk in chunks {
        Array(chunk).withUnsafeBytes { reader.append($0) }
        while let line = reader.next() { take(line) }
      }
      while let line = reader.next(atEnd: true) { take(line) }
      return found
    }
    require(
      lines([bytes[...]]) == lines([bytes[..<cut], bytes[cut...]]), "a cut changes the lines")
  }

  /// Checks that a transcript's text parses to the same transcript.
  private func checkTranscript(_ bytes: [UInt8]) {
    guard let transcript = try? Transcript(bytes, file: "x") else { return }
    let again = try? Transcript(transcript.text, file: "x")
    require(again == transcript, "the text of a transcript is another transcript")
  }

  /// Checks that a cut in a text does not affect its features, and that each is a place or an
  /// error.
  private func checkGeoJSON(_ bytes: [UInt8]) {
    func scan(_ chunks: [ArraySlice<UInt8>]) -> [String] {
      var scanner = GeoJSONScanner()
      let feature = PlaceFeature()
      var found: [String] = []
      do {
        for chunk in chunks {
          try Array(chunk).withUnsafeBytes { piece in
            try scanner.scan(piece) { bytes, position in
              do { found.append("\(position) \(try feature.read(bytes))") } catch {
                found.append("\(position) \(error)")
              }
            }
          }
        }
        try scanner.finish()
      } catch { found.append("\(error)") }
      return found
    }
    let cut = bytes.count / 2
    require(scan([bytes[...]]) == scan([bytes[..<cut], bytes[cut...]]), "a cut changes the places")
  }

  /// Checks that a cut in a stream does not affect its events.
  private func checkEvents(_ bytes: [UInt8]) {
    func events(_ chunks: [ArraySlice<UInt8>]) -> [String] {
      var parser = ServerSentEvents()
      var found: [String] = []
      do {
        for chunk in chunks { found += try parser.take(chunk).map { "\($0)" } }
        if let last = try parser.finish() { found.append("\(last)") }
      } catch { found.append("\(error)") }
      return found
    }
    let cut = bytes.count / 2
    let whole = events([bytes[...]])
    let parts = events([bytes[..<cut], bytes[cut...]])
    // The parts may have yielded events before an error that makes the whole yield none.
    require(parts.starts(with: whole) || whole == parts || whole.count == 1, "a cut changes events")
  }

  private func require(_ condition: Bool, _ message: String) {
    if !condition { fatalError(message) }
  }
#endif
