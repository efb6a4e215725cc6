public import Foundation
public import OffstageClient

/// What the prompts of an app use of the device.
@MainActor
public protocol Device: Sendable {
  /// Copies a text to the clipboard.
  func copy(_ text: String)

  /// Opens an address in the browser, or in the app for mail or calls.
  /// - Returns: False if no app takes it.
  func open(_ url: URL) async -> Bool

  /// Returns where the device is, in degrees of WGS 84.
  /// - Throws: An error whose text says why the device does not tell.
  func locate() async throws -> (latitude: Double, longitude: Double)

  /// Returns the permission to show notifications; nil if the person has not been asked.
  func mayNotify() async -> Bool?

  /// Asks the person for the permission to show notifications.
  func askToNotify() async throws -> Bool

  /// Replaces the notifications that are scheduled.
  func schedule(_ notifications: [Reminder]) async throws
}

/// A notification that the device shows later.
public struct Reminder: Hashable, Sendable, Decodable {
  public let id: String
  public let title: String
  public let body: String
  /// Seconds since 1970.
  let at: Double

  public var date: Date { Date(timeIntervalSince1970: at) }
}

extension Device {
  /// The options of a front end with this device. It answers every prompt: these handlers answer
  /// those that need no decision of the person here, and ``Asking`` asks all others.
  public var options: Options {
    var options = Options()
    options.announces = ["*"]
    options.handlers = [
      "copy": { prompt in
        copy(prompt.params["text"].string ?? "")
        return [:]
      },
      "notifications.status": { _ in
        let status: Value =
          switch await mayNotify() {
          case nil: "notDetermined"
          case true?: "granted"
          case false?: "denied"
          }
        return ["status": status]
      },
      "notifications.authorize": { _ in
        let isGranted = try await askToNotify()
        return ["granted": isGranted ? true : false]
      },
      "notifications.schedule": { prompt in
        try await schedule(prompt.params["notifications"].decode())
        return [:]
      },
    ]
    return options
  }
}
