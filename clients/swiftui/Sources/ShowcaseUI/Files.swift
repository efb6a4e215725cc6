import Foundation
import OffstageClient

/// Why something that a person has typed or picked cannot be taken, or why the device has failed.
struct Mistake: Error, CustomStringConvertible {
  /// A sentence for people.
  let description: String

  init(_ description: String) { self.description = description }
}

/// The files that an input or a prompt takes.
struct FileRule {
  /// The media types, such as `image/*`; empty for all.
  let types: [String]
  let maxBytes: Int

  /// Reads the `x-accepts` of an input, or the params of `pickFile`.
  init(_ accepts: Value) {
    types = accepts["types"].array?.compactMap(\.string) ?? []
    maxBytes = accepts["maxBytes"].int ?? 0
  }

  /// The rule for people, such as `image/png · at most 1 kB`.
  var text: String {
    (types + ["at most \(Wording.size(maxBytes))"]).joined(separator: " · ")
  }

  /// Reads a file as the value of an input, or as an answer.
  /// - Parameter type: The media type of the file.
  /// - Throws: A mistake for a file that is too large, of another type, cut off, or not there.
  func read(_ file: URL, _ type: String) throws(Mistake) -> Value {
    let name = file.lastPathComponent
    // Reading from a device or a pipe may never end.
    let path = file.resolvingSymlinksInPath().path(percentEncoded: false)
    guard let facts = try? FileManager.default.attributesOfItem(atPath: path),
      facts[.type] as? FileAttributeType == .typeRegular, let size = facts[.size] as? Int
    else { throw Mistake("\(name) is not a file.") }
    guard size <= maxBytes else {
      let (own, most) = (Wording.size(size, roundsUp: true), Wording.size(maxBytes))
      throw Mistake("\(name) has \(own). At most \(most) are allowed.")
    }
    guard takes(type) else {
      let types = types.joined(separator: ", ")
      throw Mistake("\(name) is of another type. Choose a file of \(types).")
    }
    let data: Data
    do {
      data = try FileHandle(forReadingFrom: file).read(upToCount: maxBytes + 1) ?? Data()
    } catch { throw Mistake("\(name) cannot be read.") }
    guard data.count == size else { throw Mistake("\(name) is being written. Try again.") }
    return [
      "name": Value(name), "mimeType": Value(type), "size": Value(size),
      "base64": Value(data.base64EncodedString()),
    ]
  }

  private func takes(_ type: String) -> Bool {
    let type = type.lowercased()
    return types.isEmpty
      || types.map { $0.lowercased() }.contains { pattern in
        pattern == "*/*" || pattern == type
          || pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast())
      }
  }
}

/// A file that the app offers to save.
struct SavedFile {
  /// The name without a folder, and not that of a hidden file.
  let name: String
  let mimeType: String
  let uri: String

  /// Reads the params of `saveFile`.
  init(_ params: Value) {
    // A `/` and a combining mark are one character, but two bytes of a path.
    let last = (params["name"].string ?? "").unicodeScalars.split {
      "/\\".unicodeScalars.contains($0)
    }
    .last?.drop { ". ".unicodeScalars.contains($0) }
    name = last.flatMap { $0.isEmpty ? nil : String(String.UnicodeScalarView($0)) } ?? "file"
    mimeType = params["mimeType"].string ?? ""
    uri = params["uri"].string ?? ""
  }
}

extension RemoteCore {
  /// Reads the bytes behind a `resource:` URI, which the core sends in pieces.
  func bytes(of uri: String, limit: Int = 64 << 20) async throws -> Data {
    var (data, size) = (Data(), 0)
    repeat {
      let range: Value = ["start": Value(data.count), "end": Value(size)]
      let params: Value = data.isEmpty ? ["uri": Value(uri)] : ["uri": Value(uri), "range": range]
      let piece = try await request("resource/read", params)
      size = piece["size"].int ?? 0
      let bytes = piece["base64"].string.flatMap { Data(base64Encoded: $0) } ?? Data()
      guard size <= limit, !bytes.isEmpty || size == data.count else {
        throw Mistake("\(uri) cannot be read.")
      }
      data += bytes
    } while data.count < size
    return data
  }
}
