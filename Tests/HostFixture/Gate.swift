import OffstageSystem

/// A named pipe that holds up who reads from it until somebody writes to it.
struct Gate {
  let path: String

  /// Waits, away from the core, as a blocking call to a database or a server does.
  /// - Returns: the line that was written; nil where the pipe cannot be opened.
  func pass() async -> String? {
    await Task.detached { [path] in
      guard let file = fopen(path, "r") else { return nil }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      guard fgets(&line, Int32(line.count), file) != nil else { return nil }
      let text = line.prefix { $0 != 0 && $0 != 0x0A }
      return String(decoding: text.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }.value
  }
}
