internal import Offstage
internal import OffstageJSON
internal import OffstageRPC
internal import OffstageSystem

/// The bytes behind the URIs in the document.
extension Method {
  static let readResource = Method(
    "resource/read", "Returns the bytes behind a `resource:` URI of the document.",
    Description(
      "A response has as many bytes as `limits.resource` allows: if `base64` has fewer than `size`, "
        + "read on with `range`.",
      params: [
        "uri": JSONSchema(["type": "string", "format": "uri"])
          .described("A URI of the document."),
        "range?": .object(["start": .integer(from: 0), "end": .integer(from: 0)])
          .described("The bytes from `start` up to `end`, which is not included."),
      ],
      result: NamedSchema(
        "ResourceResult",
        .object(
          [
            "mimeType": .string,
            "size": .integer(from: 0).described("The bytes of the whole resource."),
            "base64?": JSONSchema(["type": "string", "contentEncoding": "base64"]),
            "path?": .string.described("The absolute path of the file, with `files` only."),
          ], exactlyOneOf: ["base64", "path"])),
      example: (
        ["uri": "resource:text/hello"],
        ["mimeType": "text/plain", "size": 5, "base64": "aGVsbG8="]
      )),
    errors: [.unknownResource, .requestCanceled, .overloaded]
  ) { params, session throws(RPCError) in
    let uri = try params.string("uri")
    let range = try params.decode("range", ByteRange.self)
    try session.requests.checkRoom()
    return .later { [session] in await session.read(uri, range) }
  }

  struct ByteRange: Decodable, Sendable {
    let start: Int
    let end: Int

    private enum Key: CodingKey { case start, end }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Key.self)
      start = try container.decode(Int.self, forKey: .start, in: 0...(1 << 53))
      end = try container.decode(Int.self, forKey: .end, in: start...(1 << 53))
    }
  }
}

extension Session {
  /// The longest path of a resource, in bytes.
  private static let longestPath = 1024

  fileprivate func read(_ uri: String, _ range: Method.ByteRange?) async -> MethodResult.Completion
  {
    let unknown = RPCError(
      .unknownResource, "unknown resource \"\(uri.prefix(Self.longestPath))\"",
      data: ["uri": .string(uri)])
    let scheme = "resource:"
    guard uri.utf8.starts(with: scheme.utf8),
      uri.utf8.count <= Self.longestPath + scheme.utf8.count,
      let find = core.app.resources
    else { return .failure(unknown) }
    let path = String(decoding: uri.utf8.dropFirst(scheme.utf8.count), as: UTF8.self)
    let limit = limits.resource
    let sharesFiles = sharesFiles
    do {
      guard let resource = try await find(path) else { return .failure(unknown) }
      // Tests and deterministic runs stay on the core's thread, so that every run is the same.
      return .success(
        core.clock.isVirtual
          ? try resource.excerpt(range, limit: limit, sharesFiles: sharesFiles)
          : try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try resource.excerpt(range, limit: limit, sharesFiles: sharesFiles)
          })
    } catch is CancellationError {
      return .failure(.canceled)
    } catch {
      core.report(Fault("cannot read \(uri): \(error)"))
      return .failure(unknown)
    }
  }
}

extension Resource {
  fileprivate func excerpt(
    _ range: Method.ByteRange?, limit: Int, sharesFiles: Bool
  ) throws(FileError) -> JSON {
    func clamped(_ size: Int) -> Range<Int> {
      let start = min(range?.start ?? 0, size)
      return start..<min(max(range?.end ?? size, start), size, start + limit)
    }
    func json(_ size: Int, _ name: String, _ text: String) -> JSON {
      ["mimeType": .string(mimeType), "size": .int(size), name: .string(text)]
    }
    switch content {
    case .bytes(let bytes):
      return json(bytes.count, "base64", Base64.encode(Array(bytes[clamped(bytes.count)])))
    case .file(let path):
      let file = try Descriptor.openRegularFile(path)
      defer { systemClose(file.descriptor) }
      if sharesFiles { return json(file.size, "path", path) }
      let bytes = try Descriptor.read(file.descriptor, clamped(file.size), path)
      return json(file.size, "base64", Base64.encode(bytes))
    }
  }
}

extension Descriptor {
  /// Opens a regular file for reading, unless the last component of its path is a symbolic link.
  fileprivate static func openRegularFile(
    _ path: String
  ) throws(FileError) -> (descriptor: Int32, size: Int) {
    // Without `O_NONBLOCK`, opening a pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      systemClose(descriptor)
      throw FileError(path, code: EINVAL)
    }
    return (descriptor, Int(status.st_size))
  }

  /// Reads a range of a file. The result is shorter if the file has been truncated.
  fileprivate static func read(
    _ descriptor: Int32, _ range: Range<Int>, _ path: String
  ) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        pread(
          descriptor, $0.baseAddress! + done, $0.count - done, off_t(range.lowerBound + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(path) }
      if count == 0 { break }
      done += count
    }
    return Array(bytes[..<done])
  }
}
