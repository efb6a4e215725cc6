/// The error of a request that the core refused, or a fault that the core reports.
public struct Refusal: Error, Hashable, CustomStringConvertible {
  /// The number of an error on the wire. A core may use numbers that are not listed here.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: Int

    /// Creates a code that is not listed here.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The line was not JSON or exceeded a limit.
    public static let parseError = Code(rawValue: -32700)
    /// The message is not a request.
    public static let invalidRequest = Code(rawValue: -32600)
    /// The core has no such method.
    public static let unknownMethod = Code(rawValue: -32601)
    /// A param is missing or has the wrong type: `path`, `expected`, and `found` in the data say which.
    public static let invalidParams = Code(rawValue: -32602)
    /// A bug in the app.
    public static let internalError = Code(rawValue: -32603)
    /// The request was canceled, or the core is shutting down.
    public static let canceled = Code(rawValue: -32800)
    /// The screen may have closed.
    public static let unknownScreen = Code(rawValue: 1001)
    /// The screen has no such input; the data has its `inputs`.
    public static let unknownInput = Code(rawValue: 1002)
    /// The prompt may have been answered.
    public static let unknownPrompt = Code(rawValue: 1003)
    /// The navigation or the clock refused the request.
    public static let refused = Code(rawValue: 1004)
    /// Too much is pending; try again later.
    public static let overloaded = Code(rawValue: 1005)
    /// The resource may be gone.
    public static let unknownResource = Code(rawValue: 1006)
  }

  /// The kind of error.
  public let code: Code
  /// The reason, for developers.
  public let message: String
  /// The details; their shape depends on the code.
  public let data: Value

  init(_ error: Value) {
    code = Code(rawValue: error["code"].int ?? 0)
    message = error["message"].string ?? "\(error)"
    data = error["data"]
  }

  /// The message and the code.
  public var description: String { "\(message) (\(code.rawValue))" }
}

/// The end of a core, or of the connection to it.
public struct CoreEnded: Error, Hashable, CustomStringConvertible {
  /// The reason that a core ended.
  public enum Reason: Hashable, Sendable {
    /// The core has not been started, or has been closed.
    case closed
    /// The connection has ended.
    case disconnected
    /// The process has exited.
    case exited(status: Int32)
    /// A signal killed the process.
    case killed(signal: Int32)
    /// The program cannot be started.
    case unavailable(String)
    /// The core sent a line that the protocol does not allow.
    case invalidLine(String)
  }

  /// The reason that the core ended.
  public let reason: Reason
  /// The last lines that the core wrote to standard error.
  public let log: [String]

  /// Creates the end that a custom transport reports.
  /// - Parameters:
  ///   - reason: How the core ended.
  ///   - log: The last lines that the core wrote to standard error.
  public init(_ reason: Reason, log: [String] = []) {
    self.reason = reason
    self.log = log
  }

  /// The reason, followed by the log.
  public var description: String { ([headline] + log).joined(separator: "\n") }

  private var headline: String {
    switch reason {
    case .closed: "the core is not running"
    case .disconnected: "the connection to the core has ended"
    case .exited(let status): "the core has exited with status \(status)"
    case .killed(let signal): "the core was killed by signal \(signal)"
    case .unavailable(let reason): "the core cannot be started: \(reason)"
    case .invalidLine(let line): "the core has sent an invalid line: \(line)"
    }
  }
}
