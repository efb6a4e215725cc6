/// A text in the protocol's subset of Markdown. All else, such as HTML, is text, and a picture is a link.
struct RichText: Equatable {
  enum Block: Equatable {
    case heading(level: Int, [Run])
    case paragraph([Run])
    case listItem([Run])
    case code(String)

    var runs: [Run] {
      switch self {
      case .heading(_, let runs), .paragraph(let runs), .listItem(let runs): runs
      case .code(let text): [Run(text: text, isCode: true)]
      }
    }
  }

  /// A text in one style.
  struct Run: Equatable {
    var text: String
    var isBold = false
    var isItalic = false
    var isCode = false
    var link: String?
  }

  let blocks: [Block]

  init(_ markdown: String) {
    var lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0.last == "\r" ? $0.dropLast() : $0) }[...]
    var blocks: [Block] = []
    while let line = lines.first {
      if line.allSatisfy(\.isWhitespace) {
        lines.removeFirst()
      } else if Self.isFence(line) {
        let code = lines.dropFirst().prefix { !$0.contains(/^\s*```\s*$/) }
        blocks.append(.code(code.joined(separator: "\n")))
        lines = lines[min(code.endIndex + 1, lines.endIndex)...]
      } else if let heading = line.wholeMatch(of: /\s*(#{1,6})\s+(.*)/) {
        blocks.append(.heading(level: heading.1.count, Self.runs(in: String(heading.2))))
        lines.removeFirst()
      } else if Self.isItem(line) {
        blocks.append(.listItem(Self.runs(in: line.replacing(/^\s*-\s+/, with: ""))))
        lines.removeFirst()
      } else {
        let words = lines.prefix { !Self.startsBlock($0) }
        blocks.append(.paragraph(Self.runs(in: words.joined(separator: " "))))
        lines = lines[words.endIndex...]
      }
    }
    self.blocks = blocks
  }

  // Spaces that begin a line mean nothing.
  private static func isFence(_ line: String) -> Bool { line.contains(/^\s*```[^`]*$/) }
  private static func isItem(_ line: String) -> Bool { line.contains(/^\s*-\s/) }

  private static func startsBlock(_ line: String) -> Bool {
    line.allSatisfy(\.isWhitespace) || isFence(line) || isItem(line)
      || line.contains(/^\s*#{1,6}\s/)
  }

  /// The text on one line, without its marks and the addresses of links.
  var plain: String {
    blocks.map { $0.runs.map(\.text).joined() }.joined(separator: " ")
  }

  private static func runs(in text: String, _ style: Run = Run(text: "")) -> [Run] {
    // Emphasis touches the words that it marks. No part reads over the start of another match, so that it takes linear time.
    let spans =
      /`([^`\n]+)`|\*\*(?=\S)((?:[^*]|\*(?!\*))*[^*\s])\*\*|\*([^*\s](?:[^*\n]*[^*\s])?)\*|!?\[([^\[\]]*)\]\(((?:https?:\/\/|mailto:|tel:)[^\s()<>]+)\)/
    var runs: [Run] = []
    var end = text.startIndex
    func add(_ text: Substring, _ change: (inout Run) -> Void = { _ in }) {
      var run = style
      run.text = String(text)
      change(&run)
      if !text.isEmpty { runs.append(run) }
    }
    for match in text.matches(of: spans) {
      add(text[end..<match.range.lowerBound])
      end = match.range.upperBound
      var inner = style
      if let code = match.1 {
        add(code) { $0.isCode = true }
      } else if let bold = match.2 {
        inner.isBold = true
        runs += Self.runs(in: String(bold), inner)
      } else if let italic = match.3 {
        inner.isItalic = true
        runs += Self.runs(in: String(italic), inner)
      } else if let label = match.4, let url = match.5 {
        add(label.isEmpty ? url : label) { $0.link = String(url) }
      }
    }
    add(text[end...])
    return runs
  }
}
