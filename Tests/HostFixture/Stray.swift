import OffstageSystem

/// Output that nobody asked for.
enum Stray {
  /// Prints more than a buffer holds, and helps itself to the input.
  static func chat() {
    for number in 1...1000 { print("chatter \(number)") }
    print("chatter read \(readLine() ?? "nothing")")
  }

  /// Prints lines from a thread of its own, each flushed at once.
  static func chat(lines: Int) async {
    await Task.detached {
      for number in 0..<lines {
        print("stray \(number)")
        fflush(nil)
      }
    }.value
  }
}
