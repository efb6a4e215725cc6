import Foundation
import OffstageSystem
import TestSupport

/// A server with a self-signed certificate, run by the `openssl` command.
final class TLSServer {
  let base: URL
  private let server: Child
  private let directory: TemporaryDirectory

  static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)
  private static let openssl = "/usr/bin/openssl"

  init() throws {
    directory = try TemporaryDirectory()
    let (key, certificate) = (directory.file("key.pem"), directory.file("certificate.pem"))
    _ = try ChildProcess(
      Self.openssl,
      [
        "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key.path, "-out",
        certificate.path,
      ], errors: .merged
    ).finish()
    // The shell kills the server when its input ends, which happens even if the tests are killed.
    server = try Child([
      "/bin/sh", "-c", #""$@" 2>/dev/null & exec >/dev/null; cat; kill -KILL $!"#, "sh",
      Self.openssl,
      "s_server", "-accept", "127.0.0.1:0", "-key", key.path, "-cert", certificate.path, "-www",
    ])
    // The server prints `ACCEPT 127.0.0.1:45678` when it listens.
    var text = ""
    while !text.contains("ACCEPT") {
      guard let line = try server.nextLine() else { throw POSIXError(.ECONNREFUSED) }
      text = String(decoding: line, as: UTF8.self)
    }
    let port = text.split(whereSeparator: \.isWhitespace).last?.split(separator: ":").last ?? ""
    base = URL(string: "https://127.0.0.1:\(port)")!
  }
}
