internal import OffstageJSON

extension Prompt where Answer == PickedFile {
  /// Has the user pick a file, and reads it.
  /// ```swift
  /// let picture = try await effects.ask(.pickFile(types: ["image/*"], maxBytes: 1_000_000))
  /// ```
  /// An answer with a file that is too large, of another type, or cut off is refused.
  /// - Parameters:
  ///   - types: The accepted types, such as `text/csv` or `image/*`; empty for all.
  ///   - maxBytes: The size of the largest file. The file travels in one message, so its limit
  ///     (`--max-line`, by default 16 MiB) must leave room for a third more.
  public static func pickFile(types: [String] = [], maxBytes: Int = 8 << 20) -> Self {
    let choice = FileChoice(types: types, maxBytes: maxBytes)
    var prompt = Self(.pickFile, choice)
    prompt.mismatch = { choice.mismatch(of: $0) }
    return prompt
  }
}

/// A file that the user has picked: the answer to ``Prompt/pickFile(types:maxBytes:)``, or the value of
/// an input with the role ``Role/file(types:maxBytes:)``.
public struct PickedFile: Codable, Hashable, Sendable, SchemaAnnotated {
  /// The name without its folder.
  public let name: String
  /// The type, such as `image/png`, according to the front end: check the bytes if it matters.
  public let mimeType: String
  /// The content.
  public let bytes: [UInt8]
  /// The size of the file on the device, which tells whether the content is complete.
  fileprivate let size: Int

  private enum CodingKeys: String, CodingKey { case name, mimeType, size, base64 }

  /// Creates an answer, as a test does.
  public init(name: String, mimeType: String, bytes: [UInt8]) {
    self.name = name
    self.mimeType = mimeType
    self.bytes = bytes
    size = bytes.count
  }

  /// - Throws: `DecodingError` if the content is not Base64.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = FileName.safe(try container.decode(String.self, forKey: .name))
    mimeType = try container.decode(String.self, forKey: .mimeType)
    size = try container.decode(Int.self, forKey: .size, in: 0...(1 << 53))
    guard let bytes = Base64.decode(try container.decode(String.self, forKey: .base64)) else {
      throw DecodingError.dataCorruptedError(
        forKey: .base64, in: container, debugDescription: "the whole file as Base64")
    }
    self.bytes = bytes
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(mimeType, forKey: .mimeType)
    try container.encode(size, forKey: .size)
    try container.encode(Base64.encode(bytes), forKey: .base64)
  }

  public static var schema: (text: String, sample: PickedFile)? {
    let text = """
      {"type":"object","properties":{"name":{"type":"string"},"mimeType":{"type":"string"},\
      "size":{"type":"integer","minimum":0},"base64":{"type":"string","contentEncoding":"base64"}},\
      "required":["name","mimeType","size","base64"]}
      """
    return (text, PickedFile(name: "", mimeType: "", bytes: []))
  }
}

struct FileChoice: Codable, Sendable, SchemaAnnotated {
  /// Patterns of media types, such as `image/*`; empty for all.
  var types: [String] = []
  var maxBytes = 8 << 20

  static var meanings: [PartialKeyPath<Self>: Meaning] { [\.maxBytes: .unit("B")] }

  /// Returns why a file is refused; nil if it is taken.
  func mismatch(of file: PickedFile) -> JSONMismatch? {
    let (size, count) = (file.size, file.bytes.count)
    if max(size, count) > maxBytes {
      return JSONMismatch(
        path: "/size", expected: "a file of at most \(maxBytes) bytes", found: "number",
        value: "\(max(size, count))")
    }
    if size != count {
      return JSONMismatch(
        path: "/base64", expected: "all \(size) bytes of the file", found: "\(count) bytes")
    }
    guard !accepts(file.mimeType) else { return nil }
    return JSONMismatch(
      path: "/mimeType", expected: "a file of the type \(types.joined(separator: " or "))",
      text: file.mimeType)
  }

  private func accepts(_ type: String) -> Bool {
    let type = type.lowercased()
    return types.isEmpty
      || types.contains { pattern in
        let pattern = pattern.lowercased()
        return pattern == "*/*" || pattern == type
          || pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast())
      }
  }
}

struct SavedFile: Codable, Sendable {
  let name: String
  let mimeType: String
  let uri: String
}

enum FileName {
  /// Returns a name that stays in the folder in which it is used, and that no system hides.
  static func safe(_ name: String) -> String {
    // What is before a slash would be another folder.
    let last = name.split { "/\\".contains($0) }.last ?? ""
    let visible = last.unicodeScalars.filter { !isUnsafe($0) }.drop { $0 == "." || $0 == " " }
    var safe = ""
    // File systems take names of at most 255 bytes.
    for scalar in visible where safe.utf8.count + scalar.utf8.count <= 200 {
      safe.unicodeScalars.append(scalar)
    }
    return safe.isEmpty ? "file" : safe
  }

  /// True for what controls a terminal, turns the direction of text around, or names a drive.
  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: ":*?\"<>|".unicodeScalars.contains(scalar)
    }
  }
}
