import OffstageJSON
import Testing

@testable import OffstageHost

@Suite struct OutputQueueTests {
  @Test func sendsAsMuchAsIsTaken() {
    var queue = OutputQueue()
    for number in 1...3 { queue.line { $0.int(number) } }
    queue.write(Array("[4]".utf8))
    #expect(queue.unsentCount == 10 && !queue.isEmpty)
    #expect(take(3, of: &queue) == "1\n2")
    queue.line { $0.null() }
    #expect(take(0, of: &queue) == "")
    #expect(queue.unsentCount == 12)
    #expect(take(100, of: &queue) == "\n3\n[4]\nnull\n")
    #expect(queue.isEmpty == true)
  }

  @Test func marks() {
    var queue = OutputQueue()
    let line = [UInt8](repeating: 0x31, count: 1 << 18)
    for _ in 0..<3 { queue.write(line) }
    #expect(queue.isBehind == false)
    for _ in 0..<2 { queue.write(line) }
    #expect(queue.isBehind && !queue.isOverfull)
    while !queue.isOverfull { queue.write(line) }
    #expect(queue.unsentCount > 16 << 20 && queue.unsentCount < 17 << 20)
    _ = take(queue.unsentCount - 1, of: &queue)
    #expect(!queue.isBehind && queue.unsentCount == 1)
    #expect(queue.takeLines() == [])
    #expect(queue.isEmpty == true)
  }

  @Test func recordsEveryLine() {
    var lines: [String] = []
    var queue = OutputQueue()
    queue.onLine = { lines.append($0) }
    queue.line { $0.string("a") }
    queue.write(Array("[1]".utf8))
    #expect(lines == [#""a""#, "[1]"])
    #expect(queue.takeLines() == lines)
  }

  private func take(_ count: Int, of queue: inout OutputQueue) -> String {
    var taken = ""
    queue.send { bytes in
      let part = bytes.prefix(count)
      taken = String(decoding: part, as: UTF8.self)
      return part.count
    }
    return taken
  }
}
