import OffstageFoundation
import OffstageLive
package import Showcase

extension LoadFailure {
  /// Turns an error of `OffstageLive` into one of the app, and returns any other as it is.
  package static func map(_ error: any Error) -> any Error {
    switch error {
    case let error as HTTPError: LoadFailure(error)
    case let error as SQLError:
      LoadFailure(.storage, "\(error)", retryable: error.remedy != nil, remedy: error.remedy)
    case let error as StorageError:
      LoadFailure(
        .storage, "\(error)", retryable: true, remedy: error.isDiskFull ? .diskFull : nil)
    default: error
    }
  }

  init(_ error: HTTPError) {
    self.init(Reason(error.reason), "\(error)", retryable: error.isRetryable)
  }

  /// Returns the failure for a response that is not in the requested form.
  static func malformed(url: URL, _ what: String, retryable: Bool = false) -> LoadFailure {
    LoadFailure(
      .malformed, "\(HTTPError(.malformed(what), url))", retryable: retryable)
  }
}

extension SQLError {
  /// nil if trying again does not help.
  fileprivate var remedy: LoadFailure.Remedy? {
    isBusy ? .busy : isDiskFull ? .diskFull : isUnreachable ? .away : nil
  }
}

extension LoadFailure.Reason {
  init(_ reason: HTTPError.Reason) {
    self =
      switch reason {
      case .unreachable: .offline
      case .refused: .refused
      case .proxy: .proxy
      case .lost, .truncated: .interrupted
      case .timedOut: .timedOut
      case .wrongType(HTTPError.webPage, _): .webPage
      case .tooLarge, .wrongType, .malformed, .invalid: .malformed
      case .status(let status, _, _): Self(status: status)
      case .untrusted: .untrusted
      case .certificateDate: .certificateDate
      case .unknownAuthority: .unknownAuthority
      case .redirect: .redirected
      case .other: .unsent
      }
  }

  private init(status: Int) {
    self =
      switch status {
      case 401, 403: .unauthorized
      case 402: .quota
      case 404, 410: .notFound
      case 407: .proxy
      case 429: .rateLimited
      case 500...: .server
      case 400...: .rejected
      default: .malformed
      }
  }
}
