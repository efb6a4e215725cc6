package import Offstage
internal import OffstageJSON
internal import OffstageSystem

extension UserLocale {
  /// Read once: a host has it for each session.
  static let ofProcess = UserLocale(
    language: processLanguage ?? "en", zone: processTimeZone ?? .utc)

  /// POSIX writes `ko_KR.UTF-8` where BCP 47 has `ko-KR`.
  private static var processLanguage: LanguageTag? {
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(Environment.variable).first ?? "C"
    let plain = name.prefix { $0 != "." && $0 != "@" }
    return plain == "C" || plain == "POSIX"
      ? nil : LanguageTag(String(plain.map { $0 == "_" ? "-" : $0 }))
  }

  /// `TZ` names the zone. Without it, `/etc/localtime` is a link into the zone database.
  private static var processTimeZone: ZoneRules? {
    if let name = Environment.variable("TZ") {
      return .named(String(name.drop { $0 == ":" }))
    }
    guard let path = realpath("/etc/localtime", nil) else { return nil }
    defer { free(path) }
    let file = String(cString: path)
    guard let start = file.firstRange(of: "zoneinfo/")?.upperBound else { return nil }
    return .named(String(file[start...]))
  }
}

extension ZoneRules {
  private static let directories = ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo"]

  /// Finds a time zone by its name, such as `Asia/Seoul`, or by its offset, such as `+09:00`.
  /// - Returns: nil if the time zone database of this machine does not have it.
  package static func named(_ id: String) -> ZoneRules? {
    if let fixed = ZoneRules(fixed: id) { return fixed }
    // No dots: the name must not lead out of the directory.
    let isName = id.utf8.allSatisfy {
      $0.isLetter || $0.isDigit
        || [UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "/")].contains($0)
    }
    guard isName, !id.isEmpty, id.utf8.count <= 100, !id.hasPrefix("/") else { return nil }
    return directories.lazy.compactMap { directory in
      (try? PrivateFiles.read("\(directory)/\(id)")).flatMap { ZoneRules(id: id, file: $0) }
    }.first
  }
}
