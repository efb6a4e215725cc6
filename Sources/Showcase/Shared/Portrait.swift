import Offstage

/// A drawn picture of a character, which needs no network: the same face for the same name, with
/// what the category wears. Without a name, the sign of the category.
package struct Portrait {
  let category: AvatarCategory
  /// The start of the name: a letter may carry any number of combining marks. nil for the category.
  let name: String?

  package init(_ name: String?, _ category: AvatarCategory) {
    self.category = category
    self.name = name.map { String($0.unicodeScalars.prefix(16)) }
  }

  // MARK: Resources

  /// The URI, which contains the whole picture: `resource:portrait/cooks/Mina`.
  package var uri: String {
    (["resource:portrait", category.rawValue] + [name?.percentEncoded()].compactMap(\.self))
      .joined(separator: "/")
  }

  /// Creates a picture from the part of its URI after `resource:`.
  /// - Returns: nil for anything but the path of a portrait.
  package init?(path: String) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), parts[0] == "portrait",
      let category = AvatarCategory(rawValue: String(parts[1]))
    else { return nil }
    let name = parts.dropFirst(2).first?.percentDecoded
    guard parts.count == 2 || name != nil else { return nil }
    self.init(name, category)
  }

  // MARK: Drawing

  /// The picture as an SVG document, the same for equal portraits.
  package var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">\
    <clipPath id="c"><circle cx="48" cy="48" r="48"/></clipPath><g clip-path="url(#c)">\
    <rect width="96" height="96" fill="#\(color)"/>\
    <circle cx="74" cy="20" r="34" fill="#fff" opacity=".22"/>\(drawing)</g></svg>
    """
  }

  /// The background as `rrggbb`.
  private var color: String {
    switch category {
    case .cooks: "ffb074"
    case .travelers: "8cc8ff"
    case .scientists: "b6e388"
    case .artists: "ff9ec4"
    case .animals: "e4c590"
    case .machines: "c3c9d4"
    }
  }

  private var drawing: String {
    guard let name else { return sign }
    var dice = Dice(name)
    return switch category {
    case .animals: animal(&dice)
    case .machines: machine(&dice)
    case .cooks, .travelers, .scientists, .artists: person(&dice)
    }
  }

  private func person(_ dice: inout Dice) -> String {
    let skin = dice.pick(["f6d3b3", "eebf95", "d59a6c", "a86b43", "7a4a2e"])
    let hair = dice.pick(["2b2320", "5b3a24", "9a6233", "d9b36c", "8f8f96", "e8e4df"])
    let shirt = dice.pick(["3f5fa8", "8a3f5c", "2f7a66", "6a4c93", "b5532f", "33475b"])
    let back = dice.pick([
      "", ##"<path d="M24 44q0-26 24-26t24 26v26H24z" fill="#\##(hair)"/>"##,
      ##"<circle cx="48" cy="17" r="9" fill="#\##(hair)"/>"##,
    ])
    let front = dice.pick([
      "M28 44q-1-24 20-24t20 24q-6-13-20-13t-20 13z",
      "M28 46q-3-27 22-27 20 0 18 26-8-4-10-13-12 9-30 14z",
      "M28 42q2-22 20-22t20 22q-20-12-40 0z",
    ])
    return """
      \(back)<path d="M14 98q2-26 34-26t34 26z" fill="#\(shirt)"/>\
      <path d="M40 62h16v12q-8 7-16 0z" fill="#\(skin)"/>\
      <ellipse cx="48" cy="47" rx="20" ry="22" fill="#\(skin)"/>\
      <path d="\(front)" fill="#\(hair)"/>\(face(&dice))\(costume)
      """
  }

  private func face(_ dice: inout Dice) -> String {
    let mouth = dice.pick(["M40 57q8 7 16 0", "M41 57q7 4 14 0", "M42 56h12", "M40 56q8 9 16 0z"])
    let cheeks = dice.pick(["0", ".35"])
    return """
      <g fill="#2a2326"><circle cx="40" cy="47" r="2.6"/><circle cx="56" cy="47" r="2.6"/></g>\
      <g fill="#e2615f" opacity="\(cheeks)"><circle cx="35" cy="53" r="4"/><circle cx="61" cy="53" r="4"/></g>\
      <path d="\(mouth)" fill="none" stroke="#7a3030" stroke-width="2.4" stroke-linecap="round"/>
      """
  }

  /// What a person of the category wears.
  private var costume: String {
    switch category {
    case .cooks:
      """
      <path d="M30 30q-10-4-7-13 4-8 12-5 4-10 13-10t13 10q8-3 12 5 3 9-7 13z" fill="#fff"/>\
      <path d="M30 28h36v7H30z" fill="#eceff3"/>
      """
    case .travelers:
      """
      <path d="M27 34q0-17 21-17t21 17z" fill="#33475b"/><path d="M25 33h48q5 0 5 5H25z" fill="#22303f"/>
      """
    case .scientists:
      """
      <g fill="#fff" fill-opacity=".35" stroke="#2a2326" stroke-width="2"><circle cx="40" cy="47" r="7"/>\
      <circle cx="56" cy="47" r="7"/></g><path d="M47 46h2" stroke="#2a2326" stroke-width="2"/>\
      <path d="M34 74l14 14 14-14 8 4v20H26V78z" fill="#fff" opacity=".9"/>
      """
    case .artists:
      """
      <path d="M26 30q-4-15 22-16 27 1 24 14-12 8-46 2z" fill="#a23b52"/>\
      <path d="M50 14l3-5" stroke="#a23b52" stroke-width="3" stroke-linecap="round"/>
      """
    case .animals, .machines: ""
    }
  }

  private func animal(_ dice: inout Dice) -> String {
    let fur = dice.pick(["8a6a4f", "c98f52", "6f737c", "f0e6d8", "3f3a3a", "b36a5e"])
    let ears = dice.pick([
      "M22 46L22 14 46 30zM74 46L74 14 50 30z",
      "M26 30q-18-2-14 34 14-4 18-22zM70 30q18-2 14 34-14-4-18-22z",
      "M30 14a12 12 0 1 0 .1 0zM66 14a12 12 0 1 0 .1 0z",
    ])
    return """
      <path d="\(ears)" fill="#\(fur)"/><path d="\(ears)" fill="#000" opacity=".18"/>\
      <ellipse cx="48" cy="52" rx="29" ry="27" fill="#\(fur)"/>\
      <ellipse cx="48" cy="62" rx="16" ry="13" fill="#fff" opacity=".75"/>\
      <g fill="#1d1a1a"><circle cx="36" cy="46" r="4"/><circle cx="60" cy="46" r="4"/>\
      <path d="M42 56h12q0 7-6 7t-6-7z"/></g>\
      <g fill="#fff"><circle cx="37.4" cy="44.6" r="1.3"/><circle cx="61.4" cy="44.6" r="1.3"/></g>\
      <path d="M48 63v4M40 68q4 4 8-1 4 5 8 1" fill="none" stroke="#1d1a1a" stroke-width="2" stroke-linecap="round"/>
      """
  }

  private func machine(_ dice: inout Dice) -> String {
    let metal = dice.pick(["6d7a8c", "4d6a73", "7c6a8a", "8a7a5d", "56627a"])
    let light = dice.pick(["ffe27a", "7df0c8", "8fd0ff", "ff9d8a"])
    let antenna = dice.pick(["M48 24V12", "M36 24l-6-12M60 24l6-12"])
    let tip =
      antenna.hasPrefix("M48")
      ? #"<circle cx="48" cy="11" r="4"/>"#
      : #"<circle cx="30" cy="11" r="4"/><circle cx="66" cy="11" r="4"/>"#
    return """
      <path d="\(antenna)" stroke="#\(metal)" stroke-width="4"/><g fill="#\(light)">\(tip)</g>\
      <path d="M26 98V84h44v14z" fill="#\(metal)"/>\
      <rect x="20" y="24" width="56" height="56" rx="14" fill="#\(metal)"/>\
      <rect x="27" y="33" width="42" height="24" rx="10" fill="#20262e"/>\
      <g fill="#\(light)"><circle cx="38" cy="45" r="5"/><circle cx="58" cy="45" r="5"/></g>\
      <path d="M36 69h24M42 65v8M48 65v8M54 65v8" stroke="#20262e" stroke-width="2.4"/>
      """
  }

  /// The sign of the category.
  private var sign: String {
    let path =
      switch category {
      case .cooks:
        "M24 42h48v20q0 14-24 14T24 62zM14 46h10v8H14zM72 46h10v8H72zM36 36q-6-8 0-16M48 36q-6-8 0-16M60 36q-6-8 0-16"
      case .travelers: "M20 36h56v40H20zM38 36V26h20v10M34 36v40M62 36v40"
      case .scientists: "M40 20h16M43 20v22L26 74h44L53 42V20M33 62h30"
      case .artists:
        "M48 20q30 0 30 26 0 14-14 12-12-2-10 8 1 12-12 10Q18 72 18 46q0-26 30-26zM34 40h.1M48 34h.1M62 42h.1M32 56h.1"
      case .animals:
        "M48 50q14 8 14 18 0 8-14 6-14 2-14-6 0-10 14-18zM28 48a6 8 0 1 0 .1 0zM40 28a6 8 0 1 0 .1 0zM56 28a6 8 0 1 0 .1 0zM68 48a6 8 0 1 0 .1 0z"
      case .machines:
        "M26 38h44v36H26zM48 38V24M44 22h8M38 52h.1M58 52h.1M38 64h20M18 50v12M78 50v12"
      }
    return """
      <path d="\(path)" fill="#fff" fill-opacity=".55" stroke="#2b2f3a" stroke-width="4" stroke-linecap="round" \
      stroke-linejoin="round"/>
      """
  }
}

/// Choices that look random, and are the same for the same text.
struct Dice {
  private var state: UInt64

  init(_ text: String) { state = text.utf8.fnv1a }

  /// Returns a number from 0 up to a limit.
  mutating func roll(_ limit: Int) -> Int {
    // The step of SplitMix64.
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[roll(choices.count)] }
}
