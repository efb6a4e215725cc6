package import OffstageSystem

/// Waits for input from a descriptor and reads it. A signal would make `FileHandle.availableData`
/// stop the process.
/// - Returns: The bytes; an empty array at the end.
package func readAvailable(from descriptor: Int32) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = bytes.withUnsafeMutableBytes { systemRead(descriptor, $0) }
    if count >= 0 { return Array(bytes[..<count]) }
    guard systemCallShouldRetry else { return [] }
  }
}

extension ChildProcess {
  /// Closes the input, reads all output, and waits until the process has ended.
  package func finish() throws -> (status: Int32, output: String) {
    systemClose(input)
    defer { systemClose(output) }
    var bytes: [UInt8] = []
    while case let next = readAvailable(from: output), !next.isEmpty { bytes += next }
    return (try wait().exitStatus, String(decoding: bytes, as: UTF8.self))
  }
}
