internal import OffstageJSON

// The prompts for what every device has. The front ends of Offstage answer all of them; an app lists
// those that it asks in `App(prompts:)`.

extension Prompt where Answer == Empty {
  /// Offers a text to other apps, or copies it where there are none.
  public static func share(_ text: String) -> Self { Self(.share, SharedText(text: text)) }

  /// Copies a text to the clipboard.
  public static func copy(_ text: String) -> Self { Self(.copy, SharedText(text: text)) }

  /// Shows the address of a page to the user, and opens it in the browser if the user agrees.
  ///
  /// Asking throws ``PromptError/refused(message:)`` for an address that does not start with `https://`,
  /// `http://`, `mailto:`, or `tel:`: others could name a file or a program.
  public static func openURL(_ url: String) -> Self {
    var prompt = Self(.openURL, WebAddress(url: url))
    prompt.refusal = WebAddress.refusal(of: url)
    return prompt
  }

  /// Saves a file to a place of the user's choice, or to the folder for downloads.
  /// ```swift
  /// try await effects.ask(.saveFile("notes.csv", mimeType: "text/csv", from: "resource:export/notes.csv"))
  /// ```
  /// - Parameters:
  ///   - name: The suggested name. What could lead out of a folder or hide the file is replaced.
  ///   - mimeType: The media type of the bytes, such as `text/csv`.
  ///   - uri: A `resource:` URI, whose bytes the app returns; see ``Resource``.
  public static func saveFile(_ name: String, mimeType: String, from uri: String) -> Self {
    Self(.saveFile, SavedFile(name: FileName.safe(name), mimeType: mimeType, uri: uri))
  }

  /// Replaces the notifications that are scheduled on the device.
  public static func scheduleNotifications(_ notifications: [ScheduledNotification]) -> Self {
    Self(.scheduleNotifications, NotificationSchedule(notifications: notifications))
  }
}

extension Prompt where Answer == Coordinate {
  /// Asks the device for the user's location.
  /// ```swift
  /// let here = try await effects.ask(.currentLocation)
  /// ```
  public static var currentLocation: Self { Self(.currentLocation, LocationRequest(reason: nil)) }

  /// Asks for the user's location before the user has asked for anything that needs it. Front ends
  /// show the reason, and ask the device only once the user agrees.
  /// - Parameter reason: What the location is for, in the user's language.
  public static func currentLocation(because reason: String) -> Self {
    Self(.currentLocation, LocationRequest(reason: reason))
  }
}

extension Prompt where Answer == Bool? {
  /// Asks the device whether it may show notifications, without asking the user: nil if the user has
  /// not been asked yet. A test answers with `["status": "granted"]`, `denied`, or `notDetermined`.
  public static var notificationStatus: Self {
    Self(.notificationStatus, Empty(), \NotificationPermission.isGranted)
  }
}

extension Prompt where Answer == Bool {
  /// Has the device ask the user for permission to show notifications. A test answers with
  /// `["granted": true]`.
  public static var authorizeNotifications: Self {
    Self(.authorizeNotifications, Empty(), \NotificationAuthorization.granted)
  }
}

extension Prompt where Answer == String {
  /// Has the user pick a day of the Gregorian calendar, such as `2026-03-01`. A test answers with
  /// `["date": "2026-03-01"]`.
  /// ```swift
  /// let due = try await effects.ask(.pickDate(selected: "2026-03-01", from: "2026-01-01"))
  /// ```
  /// - Parameters:
  ///   - selected: The day that is picked at first, such as `2026-03-01`; nil for the front end's choice.
  ///   - first: The first day that may be picked; nil for no limit.
  ///   - last: The last day that may be picked; nil for no limit.
  public static func pickDate(
    selected: String? = nil, from first: String? = nil, through last: String? = nil
  ) -> Self {
    var prompt = Self(
      .pickDate, DateChoice(selected: selected, first: first, last: last), \PickedDate.date)
    prompt.mismatch = { date in
      // Days in this format sort as texts.
      let isOffered = first.map { $0 <= date } != false && last.map { date <= $0 } != false
      let isDay = Timestamp("\(date)T00:00:00Z") != nil
      if isDay, isOffered { return nil }
      let limits = [first.map { "from \($0)" }, last.map { "through \($0)" }].compactMap(\.self)
      return JSONMismatch(
        path: "/date", expected: (["a day such as 2026-03-01"] + limits).joined(separator: " "),
        text: date)
    }
    return prompt
  }

  /// Signs in with a page of another service: the front end opens it in the browser, and answers with
  /// the address to which the page sends the browser in the end, which has the code of the service in
  /// its query.
  /// ```swift
  /// let page = "https://example.com/authorize?client_id=books&redirect_uri={callback}&state=\(state)"
  /// let end = try await effects.ask(.signIn(at: page, callback: "books://done"))
  /// let callback = end.prefix { $0 != "?" }
  /// ```
  /// Compare the `state` in the answer with your own, and send the service the callback with the code.
  /// Asking throws ``PromptError/refused(message:)`` for a page that no browser opens. A test answers with
  /// `["url": "books://done?code=7"]`.
  /// - Parameters:
  ///   - url: The address of the page, which starts with `https:`. In it, `{callback}` stands for the
  ///     callback, or for an address at which the front end receives the browser: on this machine
  ///     (RFC 8252), or of its own server. Leave it out if the service knows one callback only.
  ///   - callback: What the address in the answer starts with if the front end receives nothing.
  public static func signIn(at url: String, callback: String) -> Self {
    let place = "{callback}"
    let template = url.contains(place) ? url : nil
    let page = SignInPage(
      url: url.replacing(place, with: callback.percentEncoded()), callback: callback,
      template: template)
    var prompt = Self(.signIn, page)
    prompt.refusal = WebAddress.refusal(of: page.url)
    prompt.decode = { (json: JSONView) throws(JSONMismatch) in
      let answer = try json.decode(SignInResult.self)
      let callback = template == nil ? callback : answer.callback ?? callback
      let rest = answer.url.utf8.dropFirst(callback.utf8.count).first
      // `books://done.example.com` is another address than `books://done`.
      let ends = [nil, UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "/")]
      if answer.url.utf8.starts(with: callback.utf8), ends.contains(rest) { return answer.url }
      // The address has the secret that signs in: the error does not repeat it.
      throw JSONMismatch(
        path: "/url", expected: "an address that starts with \(callback)", found: "another one")
    }
    return prompt
  }
}

extension PromptDescription {
  /// The description of ``Prompt/share(_:)``.
  public static let share = PromptDescription(
    "share", title: ("Share", "공유"), params: SharedText.self, answer: Empty.self)
  /// The description of ``Prompt/copy(_:)``.
  public static let copy = PromptDescription(
    "copy", title: ("Copy", "복사"), params: SharedText.self, answer: Empty.self)
  /// The description of ``Prompt/openURL(_:)``.
  public static let openURL = PromptDescription(
    "openURL", title: ("Open this page?", "이 페이지를 열까요?"), params: WebAddress.self,
    answer: Empty.self)
  /// The description of ``Prompt/pickFile(types:maxBytes:)``.
  public static let pickFile = PromptDescription(
    "pickFile", title: ("Choose a file", "파일 선택"), params: FileChoice.self, answer: PickedFile.self)
  /// The description of ``Prompt/saveFile(_:mimeType:from:)``.
  public static let saveFile = PromptDescription(
    "saveFile", title: ("Save a file", "파일 저장"), params: SavedFile.self, answer: Empty.self)
  /// The description of ``Prompt/pickDate(selected:from:through:)``.
  public static let pickDate = PromptDescription(
    "pickDate", title: ("Choose a day", "날짜 선택"), params: DateChoice.self, answer: PickedDate.self)
  /// The description of ``Prompt/currentLocation``.
  public static let currentLocation = PromptDescription(
    "location.current", title: ("Share your location?", "현재 위치를 알려 줄까요?"),
    params: LocationRequest.self, answer: Coordinate.self)
  /// The description of ``Prompt/authorizeNotifications``.
  public static let authorizeNotifications = PromptDescription(
    "notifications.authorize", title: ("Allow notifications?", "알림을 허용할까요?"),
    answer: NotificationAuthorization.self)
  /// The description of ``Prompt/notificationStatus``.
  public static let notificationStatus = PromptDescription(
    "notifications.status", title: ("Permission for notifications", "알림 권한"),
    answer: NotificationPermission.self)
  /// The description of ``Prompt/scheduleNotifications(_:)``.
  public static let scheduleNotifications = PromptDescription(
    "notifications.schedule", title: ("Schedule notifications", "알림 예약"),
    params: NotificationSchedule.self, answer: Empty.self)
  /// The description of ``Prompt/signIn(at:callback:)``.
  public static let signIn = PromptDescription(
    "signIn", title: ("Sign in", "로그인"), params: SignInPage.self, answer: SignInResult.self)
}

extension Prompt {
  init(_ description: PromptDescription, _ params: some Encodable) {
    self.init(description.kind, params)
  }

  /// A prompt whose answer is in an object that the front end sends.
  fileprivate init<Message: Decodable & SendableMetatype>(
    _ description: PromptDescription, _ params: some Encodable,
    _ answer: @escaping @Sendable (Message) -> Answer
  ) {
    self.init(description, params)
    decode = { (json: JSONView) throws(JSONMismatch) in answer(try json.decode(Message.self)) }
  }
}

/// A point on the earth, in degrees of WGS 84.
public struct Coordinate: Codable, Hashable, Sendable {
  /// From -90 to 90.
  public var lat: Double
  /// From -180 to 180.
  public var lng: Double

  /// Creates a point.
  public init(lat: Double, lng: Double) {
    self.lat = lat
    self.lng = lng
  }

  /// - Throws: `DecodingError` for degrees out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    lat = try container.decode(Double.self, forKey: .lat, in: -90...90)
    lng = try container.decode(Double.self, forKey: .lng, in: -180...180)
  }
}

/// A notification that the device shows later.
public struct ScheduledNotification: Codable, Hashable, Sendable, SchemaAnnotated {
  public let id: String
  public let title: String
  public let body: String
  /// Seconds since 1970.
  public let at: Int

  /// Creates a notification. The time is in seconds since 1970.
  public init(id: String, title: String, body: String, at: Int) {
    self.id = id
    self.title = title
    self.body = body
    self.at = at
  }

  public static var meanings: [PartialKeyPath<Self>: Meaning] { [\.at: .unixTime] }
}

// MARK: Messages

struct NotificationPermission: Codable, Sendable {
  enum Status: String, Codable, CaseIterable, Sendable {
    /// The user has not been asked.
    case notDetermined
    case granted, denied
  }

  let status: Status

  var isGranted: Bool? { status == .notDetermined ? nil : status == .granted }
}

struct NotificationAuthorization: Codable, Sendable {
  let granted: Bool
}

struct PickedDate: Codable, Sendable, SchemaAnnotated {
  let date: String

  static var meanings: [PartialKeyPath<Self>: Meaning] { [\.date: .date] }
}

/// The params of `share` and `copy`.
struct SharedText: Codable, Sendable {
  let text: String
}

struct WebAddress: Codable, Sendable {
  let url: String

  private static let starts = ["https://", "http://", "mailto:", "tel:"]

  /// Returns why a front end must not open an address, which may come from a server; nil if it may.
  static func refusal(of url: String) -> String? {
    let (start, quoted) = (url.lowercased(), JSON.string(url).description)
    guard starts.contains(where: { start.hasPrefix($0) && start != $0 }) else {
      let scheme = url.firstIndex(of: ":").map { "whose scheme is \"\(url[..<$0])\"" }
      return "cannot open \(quoted), \(scheme ?? "which has no scheme"): an address must start "
        + "with https://, http://, mailto:, or tel:"
    }
    let isWhole = url.unicodeScalars.allSatisfy {
      !$0.properties.isWhitespace && $0.properties.generalCategory != .control
    }
    return isWhole ? nil : "cannot open \(quoted): an address has no spaces or control characters"
  }
}

struct LocationRequest: Codable, Sendable {
  /// nil if the user has just asked for it.
  let reason: String?
}

struct DateChoice: Codable, Sendable, SchemaAnnotated {
  let selected: String?
  let first: String?
  let last: String?

  static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.selected: .date, \.first: .date, \.last: .date]
  }
}

struct NotificationSchedule: Codable, Sendable {
  let notifications: [ScheduledNotification]
}

struct SignInPage: Codable, Sendable {
  let url: String
  let callback: String
  /// The address with `{callback}` where a front end may put one of its own; nil if it may not.
  let template: String?
}

struct SignInResult: Codable, Sendable {
  let url: String
  /// The address that the front end has put in the place of the callback; nil if none.
  let callback: String?
}
