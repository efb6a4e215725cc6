#if canImport(SwiftUI)
  import CoreLocation
  public import Foundation
  import UserNotifications

  #if canImport(UIKit)
    import UIKit
  #else
    import AppKit
  #endif

  /// An iPhone, an iPad, or a Mac.
  public struct AppleDevice: Device {
    public init() {}

    public func copy(_ text: String) {
      #if canImport(UIKit)
        UIPasteboard.general.string = text
      #else
        NSPasteboard.general.clearContents()
        NSPasteboard.general.setString(text, forType: .string)
      #endif
    }

    public func open(_ url: URL) async -> Bool {
      #if canImport(UIKit)
        await UIApplication.shared.open(url)
      #else
        NSWorkspace.shared.open(url)
      #endif
    }

    public func locate() async throws -> (latitude: Double, longitude: Double) {
      // The system's question goes away with its manager. The Mac has no service sessions.
      let manager = CLLocationManager()
      manager.requestWhenInUseAuthorization()
      defer { withExtendedLifetime(manager) {} }
      for try await update in CLLocationUpdate.liveUpdates() {
        if let place = update.location?.coordinate { return (place.latitude, place.longitude) }
        if update.authorizationDenied || update.authorizationDeniedGlobally
          || update.authorizationRestricted
        {
          break
        }
      }
      throw Mistake("The device does not tell where it is.")
    }

    /// The center of notifications. A program without a bundle, such as one that `swift run` starts,
    /// has none, and asking for it would end the program.
    private nonisolated var center: UNUserNotificationCenter? {
      Bundle.main.bundleIdentifier == nil ? nil : .current()
    }

    public func mayNotify() async -> Bool? {
      guard let center else { return false }
      return switch await center.notificationSettings().authorizationStatus {
      case .notDetermined: nil
      case .denied: false
      default: true
      }
    }

    public func askToNotify() async throws -> Bool {
      try await center?.requestAuthorization(options: [.alert, .sound]) ?? false
    }

    public func schedule(_ notifications: [Reminder]) async throws {
      guard let center else { throw Mistake("This program cannot show notifications.") }
      center.removeAllPendingNotificationRequests()
      for notification in notifications where notification.date > Date() {
        let content = UNMutableNotificationContent()
        (content.title, content.body) = (notification.title, notification.body)
        let trigger = UNTimeIntervalNotificationTrigger(
          timeInterval: max(1, notification.date.timeIntervalSinceNow), repeats: false)
        try await center.add(
          UNNotificationRequest(identifier: notification.id, content: content, trigger: trigger))
      }
    }
  }
#endif
