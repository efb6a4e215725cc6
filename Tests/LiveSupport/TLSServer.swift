import Foundation
import TestSupport

/// A server with a self-signed certificate, run by the `openssl` command.
final class TLSServer {
  let base: URL
  private let process = Process()
  private let input = Pipe()
  private let directory: TemporaryDirectory

  static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)
  private static let openssl = "/usr/bin/openssl"

  init() throws {
    directory = try TemporaryDirectory()
    let (key, certificate) = (directory.file("key.pem"), directory.file("certificate.pem"))
    let make = Process()
    make.executableURL = URL(fileURLWithPath: Self.openssl)
    make.arguments = [
      "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
      "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key.path, "-out",
      certificate.path,
    ]
    make.standardError = FileHandle.nullDevice
    try make.run()
    make.waitUntilExit()
    let output = Pipe()
    // The shell kills the server when its input ends, which happens even if the tests are killed.
    // Processes started on a Dispatch thread have every other signal blocked.
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", #""$@" & exec >/dev/null; cat; kill -KILL $!"#, "sh", Self.openssl,
      "s_server", "-accept", "127.0.0.1:0", "-key", key.path, "-cert", certificate.path, "-www",
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    // The server prints `ACCEPT 127.0.0.1:45678` when it listens.
    var text = ""
    while !text.contains("ACCEPT") || !text.hasSuffix("\n") {
      let data = readAvailable(from: output.fileHandleForReading.fileDescriptor)
      if data.isEmpty { throw POSIXError(.ECONNREFUSED) }
      text += String(decoding: data, as: UTF8.self)
    }
    let port = text.split(whereSeparator: \.isWhitespace).last?.split(separator: ":").last ?? ""
    base = URL(string: "https://127.0.0.1:\(port)")!
  }

  deinit { try? input.fileHandleForWriting.close() }
}
