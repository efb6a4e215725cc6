import Offstage
import OffstageCurl
import OffstageFoundation
import OffstageSystem
import Synchronization

/// Runs libcurl on one thread for all requests of a client, which share connections.
final class HTTPTransport: Sendable {
  /// The maximum number of requests to one host at a time. The others wait, which is no part of their
  /// timeouts.
  static let requestLimit = 6

  private struct Start {
    let request: HTTPRequest
    let bodyLimit: Int
    let buffer: ResponseBuffer
  }

  private struct State {
    var starting: [Start] = []
    var isStopped = false
    /// nil while the thread is not running. Other threads may use it only to wake the thread.
    var multi: UnsafeMutableRawPointer?
  }

  private let state = Mutex(State())

  /// Ends the thread once all pending requests have finished.
  func stop() {
    state.withLock { $0.isStopped = true }
    wake()
  }

  /// Wakes the thread to check its requests.
  func wake() {
    state.withLock { state in
      if let multi = state.multi { curl_multi_wakeup(multi) }
    }
  }

  /// Sends a request. The first one starts the thread.
  func start(_ request: HTTPRequest, bodyLimit: Int, _ buffer: ResponseBuffer) -> HTTPStream {
    let failure = state.withLock { state in
      let failure = state.multi == nil ? startRunning(&state) : 0
      guard failure == 0, let multi = state.multi else { return failure }
      state.starting.append(Start(request: request, bodyLimit: bodyLimit, buffer: buffer))
      curl_multi_wakeup(multi)
      return 0
    }
    if failure != 0 {
      buffer.finish(
        .failure(HTTPError.Reason.other("\(FileError("cannot start a thread", code: failure))")))
    }
    return HTTPStream(buffer, self)
  }

  /// Starts the thread. Returns 0, or the system's error.
  private func startRunning(_ state: inout State) -> Int32 {
    guard Self.isReady, let made = curl_multi_init() else { fatalError("libcurl is out of memory") }
    // The thread owns the handle. Other threads only wake it, which libcurl allows.
    nonisolated(unsafe) let multi = made
    let failure = startThread { self.run(multi) }
    if failure == 0 { state.multi = multi } else { curl_multi_cleanup(multi) }
    return failure
  }

  private static let isReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private func run(_ multi: UnsafeMutableRawPointer) {
    var exchanges: [UnsafeMutableRawPointer: HTTPExchange] = [:]
    while let starting = takeStarting(besides: exchanges.values.map(\.host)) {
      for start in starting {
        let (buffer, limit) = (start.buffer, start.bodyLimit)
        guard let exchange = HTTPExchange(start.request, bodyLimit: limit, buffer) else { continue }
        let code = curl_multi_add_handle(multi, exchange.easy)
        if code == CURLM_OK {
          buffer.startClock()
          exchanges[exchange.easy] = exchange
        } else {
          let reason = String(cString: curl_multi_strerror(code))
          buffer.finish(.failure(HTTPError.Reason.other(reason)))
        }
      }
      let count = exchanges.count
      var running: Int32 = 0
      curl_multi_perform(multi, &running)
      var code = CURLE_OK
      while let easy = offstage_curl_next_finished(multi, &code) {
        curl_multi_remove_handle(multi, easy)
        exchanges.removeValue(forKey: easy)?.finish(code)
      }
      var wait = meetDemands(&exchanges, of: multi)
      // Others may start in their place.
      if exchanges.count < count { wait = .zero }
      curl_multi_poll(multi, nil, 0, wait > .zero ? wait.pollTimeout : 0, nil)
    }
    curl_multi_cleanup(multi)
  }

  /// Takes the requests that may start; nil once the transport is stopped and idle.
  /// - Parameter hosts: Those of the running requests.
  private func takeStarting(besides hosts: [String]) -> [Start]? {
    var counts = Dictionary(hosts.map { ($0, 1) }, uniquingKeysWith: +)
    return state.withLock { state in
      if state.isStopped, hosts.isEmpty, state.starting.isEmpty {
        state.multi = nil
        return nil
      }
      var starting: [Start] = []
      state.starting.removeAll { start in
        if start.buffer.hasEnded { return true }
        guard counts[start.request.host, default: 0] < Self.requestLimit else { return false }
        counts[start.request.host, default: 0] += 1
        starting.append(start)
        return true
      }
      return starting
    }
  }

  /// Resumes and stops transfers, and returns the time until the next deadline.
  private func meetDemands(
    _ exchanges: inout [UnsafeMutableRawPointer: HTTPExchange], of multi: UnsafeMutableRawPointer
  ) -> Duration {
    var wait = Duration.seconds(3600)
    let now = ContinuousClock.now
    for (easy, exchange) in exchanges {
      switch exchange.buffer.demand(at: now) {
      case .wait(let left): wait = min(wait, left)
      case .resume:
        curl_easy_pause(easy, CURLPAUSE_CONT)
        wait = .zero
      case .stop:
        curl_multi_remove_handle(multi, easy)
        exchanges[easy] = nil
      }
    }
    return wait
  }
}
