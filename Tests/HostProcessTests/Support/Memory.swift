import Foundation

/// What a process has needed of memory.
enum Memory {
  /// - Returns: the most that was ever resident, in bytes; nil where the system does not tell.
  static func peak(of process: pid_t) -> Int? {
    guard
      let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
      let kilobytes = Int(line.filter(\.isNumber))
    else { return nil }
    return kilobytes << 10
  }
}
