import OffstageFoundation
import OffstageSystem
import ShowcaseZlib

/// A file or a pipe that is read in pieces, and decompressed if it starts like a gzip file.
final class TextFile {
  /// The size of a piece, in bytes, however much the file expands to.
  private static let pieceSize: UInt32 = 1 << 18

  private let file: gzFile
  private let size: Int

  convenience init(_ url: URL) throws(TextFileError) {
    let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unopenable }
    defer { systemClose(descriptor) }
    try self.init(descriptor)
  }

  /// Reads an open file from its start. The caller closes the descriptor.
  init(_ descriptor: Int32) throws(TextFileError) {
    // zlib closes the copy.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard lseek(copy, 0, SEEK_SET) == 0 || errno == ESPIPE, let file = gzdopen(copy, "rb") else {
      if copy >= 0 { systemClose(copy) }
      throw .unopenable
    }
    self.file = file
    gzbuffer(file, Self.pieceSize)
    var status = stat()
    size = fstat(copy, &status) == 0 ? Int(status.st_size) : 0
  }

  deinit { gzclose_r(file) }

  /// - Returns: nil at the end.
  func next() throws(TextFileError) -> Data? {
    var piece = Data(count: Int(Self.pieceSize))
    let count = piece.withUnsafeMutableBytes { gzread(file, $0.baseAddress, Self.pieceSize) }
    if count > 0 { return piece.prefix(Int(count)) }
    // Only the error distinguishes a whole file from one that ends inside a compressed member.
    var code = Z_OK
    gzerror(file, &code)
    switch code {
    case Z_OK, Z_STREAM_END: return nil
    case Z_BUF_ERROR: throw .truncated
    case Z_DATA_ERROR: throw .malformed
    default: throw .unreadable
    }
  }

  /// The fraction of the file read so far, from 0 to 1.
  var progress: Double { size > 0 ? min(Double(gzoffset(file)) / Double(size), 1) : 0 }
}

/// The reason why a file could not be read.
enum TextFileError: String, Error, CustomStringConvertible {
  case unopenable = "cannot open the file"
  case unreadable = "cannot read the file"
  case malformed = "invalid gzip data"
  case truncated = "unexpected end of the gzip data"

  var description: String { rawValue }
}
