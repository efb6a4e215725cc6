/// How a child has ended.
struct Ending {
  /// What it had still to say.
  let lines: [String]
  let status: Status
  /// All that it wrote to standard error.
  let complaints: String
}

/// What `waitpid` tells.
enum Status: Hashable {
  case exited(Int32)
  case killed(by: Int32)

  init(_ code: Int32) {
    let signal = code & 0x7F
    self = signal == 0 ? .exited((code >> 8) & 0xFF) : .killed(by: signal)
  }
}
