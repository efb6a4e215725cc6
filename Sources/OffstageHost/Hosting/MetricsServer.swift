internal import Offstage
internal import OffstageJSON
internal import OffstageSystem

/// Answers `GET /metrics` with the status of a host, in the text format of Prometheus; see
/// https://prometheus.io/docs/instrumenting/exposition_formats/.
@CoreActor
final class MetricsServer: Served {
  private unowned let host: Host
  private let listener: ListeningSocket
  private let door: Door
  private var requests: [Request] = []

  private struct Request {
    let socket: Int32
    let deadline: Duration
    var bytes: [UInt8] = []
  }

  private static let mostRequests = 16
  private static let longestRequest = 1 << 13
  private static let patience = Duration.seconds(5)

  /// - Throws: `FileError` if the port is taken.
  init(of host: Host, _ app: AppInfo, port: Int) throws(FileError) {
    self.host = host
    listener = try ListeningSocket(.tcp(host: "127.0.0.1", port: "\(port)"))
    door = Door(.listener(listener), app)
    CoreActor.executor.add(self)
  }

  var url: String { "http://\(listener.address)/metrics" }

  func handleNext() -> Bool {
    let now = CoreClock.machineTime
    for request in requests where request.deadline <= now { close(request.socket) }
    return false
  }

  func addWaits(to waits: inout Waits) {
    for request in requests {
      waits.end(by: request.deadline)
      waits.add(request.socket, POLLIN) { [self] _ in read(request.socket) }
    }
    guard requests.count < Self.mostRequests else { return }
    door.addWait(to: &waits) { [self] in
      guard let (socket, _) = door.next() else { return }
      requests.append(Request(socket: socket, deadline: CoreClock.machineTime + Self.patience))
    }
  }

  private func read(_ socket: Int32) {
    guard let index = requests.firstIndex(where: { $0.socket == socket }) else { return }
    var chunk = [UInt8](repeating: 0, count: 1 << 12)
    let count = chunk.withUnsafeMutableBytes { systemRead(socket, $0) }
    guard count > 0 else {
      if count == 0 || !systemCallShouldRetry { close(socket) }
      return
    }
    requests[index].bytes += chunk[..<count]
    let text = String(decoding: requests[index].bytes, as: UTF8.self)
    guard text.contains("\r\n\r\n") || text.utf8.count > Self.longestRequest else { return }
    let words = text.prefix { $0 != "\r\n" }.split(separator: " ")
    let isKnown = words.count == 3 && words[0] == "GET" && words[1] == "/metrics"
    let body = isKnown ? lines.joined(separator: "\n") + "\n" : "GET /metrics is all there is.\n"
    let response = """
      HTTP/1.1 \(isKnown ? "200 OK" : "404 Not Found")\r
      Content-Type: text/plain; version=0.0.4; charset=utf-8\r
      Content-Length: \(body.utf8.count)\r
      Connection: close\r
      \r
      \(body)
      """
    Descriptor.writeAll(socket, Array(response.utf8), timeout: 0)
    close(socket)
  }

  private func close(_ socket: Int32) {
    requests.removeAll { $0.socket == socket }
    systemClose(socket)
  }

  /// The status as metrics: what can fall is a gauge, and what only grows a counter.
  private var lines: [String] {
    let status = host.status(isAsked: false)
    let gauges = ["sessions", "connected", "awake", "parked", "memory", "seconds"]
    let counters = ["begun", "resumed", "refused", "lines", "frames", "slowTurns"]
    func metric(_ name: String, _ type: String, _ suffix: String) -> [String] {
      guard let value = status[name] else { return [] }
      let words = name.replacing(/[A-Z]/) { "_" + $0.output.lowercased() }
      let name = "offstage_\(words)\(suffix)"
      return ["# TYPE \(name) \(type)", "\(name) \(value)"]
    }
    return gauges.flatMap { metric($0, "gauge", $0 == "memory" ? "_bytes" : "") }
      + counters.flatMap { metric($0, "counter", "_total") }
      + ["# TYPE offstage_turn_seconds histogram"]
      + host.counts.turns.lines(named: "offstage_turn_seconds")
  }
}
