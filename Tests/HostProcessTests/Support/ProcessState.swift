import Foundation

/// What the system tells of a running process.
enum ProcessState {
  /// - Returns: the most memory that was ever resident, in bytes; nil where the system does not tell.
  static func peakMemory(of process: pid_t) -> Int? {
    field("VmHWM", of: process).flatMap { Int($0.filter(\.isNumber)) }.map { $0 << 10 }
  }

  /// - Returns: whether its main thread waits for something; nil where the system does not tell.
  static func isResting(_ process: pid_t) -> Bool? {
    field("State", of: process)?.hasPrefix("S")
  }

  private static func field(_ name: String, of process: pid_t) -> String? {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line?.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
  }
}
