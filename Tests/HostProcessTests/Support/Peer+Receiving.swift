import Foundation
import OffstageJSON

/// From the child.
extension Peer {
  /// The next line; nil at the end.
  func line() throws -> String? {
    while true {
      if let line = lines.next() { return line }
      guard output >= 0 else { return nil }
      _ = try wait(reading: output, "a line")
      takeIn()
    }
  }

  /// Waits until there is something to read, and leaves it there.
  func waitForOutput() throws { _ = try wait(reading: output, "output") }

  /// Whether the child says more: false once there is nothing to read while the child rests.
  func saysMore() throws -> Bool { try comes(Int16(POLLIN), of: output) }

  /// Takes the next bytes as they are; nil at the end.
  func chunk() throws -> [UInt8]? {
    guard output >= 0 else { return nil }
    _ = try wait(reading: output, "bytes")
    takeIn()
    return output < 0 ? nil : lines.takeAll()
  }

  /// Sends a request and takes everything up to its response.
  /// - Returns: what came, the response last.
  func ask(_ request: Request) throws -> [JSON] {
    try send(request.text)
    return try lines(upTo: request.id)
  }

  /// Takes everything up to the response to a request.
  func lines(upTo id: JSON) throws -> [JSON] {
    var found: [JSON] = []
    while let line = try line() {
      found.append(try JSON(parsing: line))
      if found.last?["id"] == id { return found }
    }
    throw PeerError("the output ended without a response to \(id)")
  }
}
