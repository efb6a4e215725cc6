package import Offstage

/// Keeps a reminder scheduled for each of the next seven days, while the user wants them and the
/// device allows them.
///
/// It belongs to the app's scope: what the user has switched and granted outlives the screen. The
/// position of the switch is saved before the device is asked, so it outlives the process, too.
@CoreActor
final class Reminders {
  /// The user's wish, unless the device does not allow it.
  let status = Out(NotificationStatus.notAsked)
  /// The reminders on the device, earliest first.
  let scheduled = Out<[Reminder]>([])
  /// True while what was saved is loaded, but not while the device is asked.
  let isLoading = Out(false)
  /// True while reminders are turned on or off, or renewed.
  var isChanging: Signal<Bool> { work.activity }

  private let session: Session
  private let settings: any SettingsRepository
  private let repository: any ReminderRepository
  private let effects = Effects()
  private let localizer = Localizer()
  /// The newest position of the switch, or the newest account, wins.
  private lazy var work = effects.task(.latest)
  /// The status that is shown while the device is asked because the user has turned reminders on; nil
  /// at other times.
  private let statusWhileAsked = Kept<NotificationStatus?>(nil, name: "reminders.statusWhileAsked")
  /// Until when a start takes the reminders to be off, in seconds since 1970.
  private let offUntil = Kept(0, name: "reminders.offUntil")

  /// Creates the reminders of the scope that is being created.
  init(
    session: Session, settings: any SettingsRepository, repository: any ReminderRepository
  ) {
    self.session = session
    self.settings = settings
    self.repository = repository
    if let asked = statusWhileAsked.value { status.value = asked }
    // Asks the device again if a restart has cut the question.
    work.onRestart("reminders") { [self] in
      if statusWhileAsked.value != nil { turn(on: true) { _ in } } else { renew() }
    }
    // Those on the device have the language and the time zone of before. The settings renew them first,
    // and show why that fails.
    localizer.onChange { [self] in
      effects.run { [self] in
        if status.value == .on { renew() }
      }
    }
  }

  /// Schedules what is missing at a start, unless the reminders were off less than a day ago.
  func renewAtStart() {
    if Int(effects.now.components.seconds) >= offUntil.value { renew() }
  }

  /// Schedules what is missing, unless that is under way. The next call tries again if it fails.
  func renew(catch handle: @escaping ErrorHandler = { _ in }) {
    if !work.isRunning { start(loads: true, catch: handle) { try await $0.schedule(as: $1) } }
  }

  /// Shows and schedules the reminders of another account.
  func accountSwitched() { start(loads: true) { try await $0.schedule(as: $1) } }

  /// Turns reminders on, with the device's permission, or off.
  func turn(on: Bool, catch handle: @escaping ErrorHandler) {
    start(turnsOn: on, catch: handle) { try await $0.turn(on: on, as: $1) }
  }

  /// Turns reminders on or off from the modal, which is not shown again.
  func answerModal(on: Bool, catch handle: @escaping ErrorHandler) {
    start(turnsOn: on, catch: handle) { reminders, owner in
      // Save the answer first: the user must not be asked again, whatever the device answers.
      try await reminders.set(.modal, to: "answered", as: owner)
      if on { return try await reminders.turn(on: true, as: owner) }
      try await reminders.save(.off, as: owner)
      try await reminders.schedule(as: owner)
    }
  }

  /// True if the user may be asked for permission: until the device or the modal has an answer.
  func mayAsk() async throws -> Bool {
    do {
      guard try await effects.ask(.notificationStatus) == nil else { return false }
    } catch is PromptError {
      // The device does not tell.
      return try await wish() == nil
    }
    return try await session.read { try await settings.values(as: $0)[.modal] } == nil
  }

  private func start(
    loads: Bool = false, turnsOn: Bool = false,
    catch handle: @escaping ErrorHandler = { _ in },
    _ operation: @escaping @CoreActor (Reminders, Owner) async throws -> Void
  ) {
    isLoading.value = loads
    if offUntil.value != 0 { offUntil.value = 0 }
    statusWhileAsked.value = turnsOn ? status.value : nil
    let owner = session.owner
    work.run { [self] in
      try await operation(self, owner)
    } catch: { [self] error in
      isLoading.value = false
      handle(error)
    }
  }

  private func turn(on: Bool, as owner: Owner) async throws {
    try await save(on ? .asking : .off, as: owner)
    let refusal = on ? try await authorize(as: owner) : nil
    try await schedule(as: owner, isGranted: on && refusal == nil, always: refusal == nil)
    if let refusal, refusal != .dismissed { throw refusal }
  }

  /// Asks the device to let the app show notifications, and saves the answer.
  /// - Returns: Why it does not; nil if it does.
  private func authorize(as owner: Owner) async throws -> PromptError? {
    var refusal: PromptError?
    do {
      if try await !effects.ask(.authorizeNotifications) {
        refusal = .refused(message: "notifications are not granted")
      }
    } catch let error as PromptError {
      refusal = error
    }
    try await save(refusal == nil ? .on : .off, as: owner)
    statusWhileAsked.value = nil
    return refusal
  }

  /// Shows the status, and schedules a week of reminders if they are on, and none if they are off.
  /// - Parameters:
  ///   - isGranted: True if the device has just granted them; otherwise it is asked.
  ///   - always: False to leave a schedule alone that is right already.
  private func schedule(
    as owner: Owner, isGranted: Bool = false, always: Bool = false
  ) async throws {
    let (wish, stored) = (try await wish(), try await repository.reminders())
    try Task.checkCancellation()
    isLoading.value = false
    let status = try await currentStatus(of: wish, isGranted: isGranted)
    try Task.checkCancellation()
    self.status.value = status
    scheduled.value = status == .on ? stored : []
    let now = Int(effects.now.components.seconds)
    let format = localizer.format
    let wanted = status == .on ? Reminder.week(from: now, like: stored, format) : []
    if always || wanted != stored {
      // Save them once the device has accepted them.
      _ = try await effects.ask(.scheduleNotifications(wanted))
      try Task.checkCancellation()
      try await session.write { try await repository.replace(with: wanted, as: owner) }
      scheduled.value = wanted
    }
    if status != .on { offUntil.value = now + Reminder.day }
    // The user may have changed the language meanwhile.
    if status == .on, localizer.format.locale != format.locale {
      try await schedule(as: owner, isGranted: true)
    }
  }

  private func currentStatus(
    of wish: Wish?, isGranted: Bool
  ) async throws -> NotificationStatus {
    switch wish {
    case nil: return .notAsked
    case .off: return .off
    case .asking, .on:
      do {
        switch isGranted ? true : try await effects.ask(.notificationStatus) {
        case true?: return .on
        case false?: return .off
        case nil: return .notAsked
        }
      } catch is PromptError {
        return wish == .on ? .on : .notAsked
      }
    }
  }

  /// The saved position of the switch; nil if it was never moved.
  private func wish() async throws -> Wish? {
    try await session.read { try await settings.values(as: $0)[.notifications] }
      .flatMap(Wish.init)
  }

  private func save(_ wish: Wish, as owner: Owner) async throws {
    try Task.checkCancellation()
    try await set(.notifications, to: wish.rawValue, as: owner)
  }

  private func set(_ name: String, to value: String, as owner: Owner) async throws {
    try await session.write { try await settings.set(name, to: value, as: owner) }
  }

  private enum Wish: String {
    /// On, once the device has granted it.
    case asking
    case on, off
  }
}

/// Tells the user, later, what to come back for.
package typealias Reminder = ScheduledNotification

extension Reminder {
  static let day = 86_400

  /// Returns one reminder for each of the next seven days.
  /// - Parameter earlier: Reminders whose local time of day to keep; empty for the current time.
  static func week(from now: Int, like earlier: [Reminder] = [], _ format: Format) -> [Reminder] {
    let (words, locale) = (format.words, format.locale)
    let timeOfDay = { at in (at + locale.offset(at: at)) % day }
    // A reminder is later on a day when clocks skip its time.
    let first = earlier.map(\.at).min { timeOfDay($0) < timeOfDay($1) } ?? now
    let days = (now - first) / day
    let times = (days - 1...days + 8).map { locale.time($0, daysAfter: first) }.filter { $0 > now }
    return zip(times, words.reminders).enumerated().map { index, reminder in
      Reminder(
        id: "reminder-\(index + 1)", title: words.reminder, body: reminder.1, at: reminder.0)
    }
  }
}

extension UserLocale {
  /// Returns when clocks show the same time of day on another day, or later if they skip it.
  fileprivate func time(_ days: Int, daysAfter time: Int) -> Int {
    let later = time + days * Reminder.day
    let adjusted = later + offset(at: time) - offset(at: later)
    return offset(at: adjusted) == offset(at: later) ? adjusted : later
  }
}

/// Stores the scheduled reminders.
package protocol ReminderRepository: Sendable {
  /// Returns all reminders, earliest first.
  func reminders() async throws -> [Reminder]

  func replace(with reminders: [Reminder], as owner: Owner) async throws
}

/// The state of the reminders.
enum NotificationStatus: String, Codable, CaseIterable, Sendable {
  /// The user has not been asked, or has not answered.
  case notAsked
  case on
  case off
}

extension String {
  /// The names of the settings.
  fileprivate static let notifications = "notifications"
  fileprivate static let modal = "notifications.modal"
}
