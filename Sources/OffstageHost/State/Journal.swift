internal import OffstageJSON
internal import OffstageSystem

/// The changes of the state since its last checkpoint, in mapped memory.
///
/// ```text
/// 0      the header
/// 4096   the records: length, checksum, number, bytes; length, …; zeros
/// ```
/// The records are numbered without gaps. One that was cut by a kill or a loss of power has a wrong
/// checksum, and ends them. Once a checkpoint has been written, the records that follow it move to the
/// front.
///
/// The header says where the records are. The rest is never touched, so that it takes no memory.
final class Journal {
  /// The size of a new file.
  enum Size: Int, CaseIterable {
    case large = 4_198_400
    /// For each of many sessions: the blocks of a journal are reserved on the disk.
    case small = 135_168
  }

  private static let headerSize = 4096
  private static let recordHeaderSize = 16
  /// "OFFSTJ02", with the version of the format.
  private static let magic = UInt64(littleEndian: 0x32_304a_5453_4646_4f)

  private let file: MappedFile
  /// What follows the header.
  private let bytes: UnsafeMutableRawBufferPointer
  // Unchecked on the hot path; see `CoreActor`, on which it is used.
  /// The place of the records.
  @exclusivity(unchecked) private var used = 0..<0
  /// The number of the last record; 0 if there is none.
  @exclusivity(unchecked) private(set) var last = 0

  /// Opens the journal of an earlier process, or a new one.
  init(_ path: String, _ size: Size = .large) throws(FileError) {
    file = try MappedFile(path, size: size.rawValue, orAnyOf: Size.allCases.map(\.rawValue))
    bytes = UnsafeMutableRawBufferPointer(rebasing: file.bytes[Self.headerSize...])
    switch self[.magic] {
    case Self.magic: break
    case 0:
      self[.id] = UInt64.random(in: 1 ... .max)
      self[.magic] = Self.magic
    default: throw FileError(description: "\(path) is not a journal of this version")
    }
    findRecords()
  }

  func releaseMemory() { file.releaseMemory() }

  // MARK: The header

  enum HeaderField: Int {
    case magic = 0
    /// Identifies the journal in the checkpoints that belong to it.
    case id = 8
    /// The number of starts in a row that may have died early.
    case starts = 16
    case revision = 24
    /// The end of the records, and in the upper half their start: a kill finds both as they were.
    case used = 32
  }

  subscript(field: HeaderField) -> UInt64 {
    get { file.bytes.load(fromByteOffset: field.rawValue, as: UInt64.self) }
    set { file.bytes.storeBytes(of: newValue, toByteOffset: field.rawValue, as: UInt64.self) }
  }

  private func use(_ range: Range<Int>) {
    used = range
    self[.used] = UInt64(range.lowerBound) << 32 | UInt64(range.upperBound)
  }

  // MARK: Records

  /// True if it is time for a checkpoint, while there is still room for what happens meanwhile.
  var isFilling: Bool { used.upperBound > bytes.count / 2 }

  /// Applies the records that follow a checkpoint.
  /// - Parameter number: The number of the last record in the checkpoint. Becomes that of the last
  ///   record that was applied.
  func applyRecords(after number: inout Int, to state: inout JSON) throws {
    for record in records where record.number == number + 1 {
      // A value of the deepest line is deeper in the state.
      let patch = try JSON(
        parsing: String(decoding: record.bytes, as: UTF8.self), depth: 2 * Limits.deepest)
      try state.apply(patch)
      number = record.number
    }
  }

  /// Adds a record.
  /// - Returns: False if there is no room.
  func append(_ record: UnsafeRawBufferPointer, number: Int) -> Bool {
    let offset = used.upperBound
    let end = offset + Self.size(ofRecord: record.count)
    guard end <= bytes.count, used.isEmpty || number == last + 1 else { return false }
    // First, so that the next process finds what a kill leaves of the record.
    use(used.lowerBound..<end)
    UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + Self.recordHeaderSize)...])
      .copyMemory(from: record)
    bytes.storeBytes(of: UInt64(number), toByteOffset: offset + 8, as: UInt64.self)
    bytes.storeBytes(
      of: Self.checksum(record, UInt64(number)), toByteOffset: offset + 4, as: UInt32.self)
    bytes.storeBytes(of: UInt32(record.count), toByteOffset: offset, as: UInt32.self)
    last = number
    return true
  }

  /// Overwrites the records that are in a checkpoint, so that nothing is left of what has been deleted.
  func clear(through number: Int) {
    let all = used
    let rest = records.first { $0.number > number }?.offset ?? all.upperBound
    use(rest..<all.upperBound)
    if used.isEmpty { last = 0 }
    // A kill during the copy must leave those that are copied.
    guard used.count <= rest else { return overwrite(all.lowerBound..<rest) }
    UnsafeMutableRawBufferPointer(rebasing: bytes[..<used.count])
      .copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[used]))
    use(0..<used.count)
    overwrite(used.upperBound..<all.upperBound)
  }

  // MARK: The format

  private struct Record {
    let offset: Int
    let number: Int
    let checksum: UInt32
    let bytes: UnsafeRawBufferPointer

    var end: Int { offset + Journal.size(ofRecord: bytes.count) }

    var isWhole: Bool { checksum == Journal.checksum(bytes, UInt64(number)) }
  }

  private var records: some Sequence<Record> {
    sequence(state: used.lowerBound) { offset in
      let record = self.record(at: offset)
      offset = record?.end ?? offset
      return record
    }
  }

  /// Returns the record at an offset; nil if there is none.
  private func record(at offset: Int) -> Record? {
    let start = offset + Self.recordHeaderSize
    guard start <= used.upperBound else { return nil }
    let length = Int(bytes.load(fromByteOffset: offset, as: UInt32.self))
    let number = Int(exactly: bytes.load(fromByteOffset: offset + 8, as: UInt64.self))
    guard length > 0, offset + Self.size(ofRecord: length) <= used.upperBound, let number else {
      return nil
    }
    return Record(
      offset: offset, number: number,
      checksum: bytes.load(fromByteOffset: offset + 4, as: UInt32.self),
      bytes: UnsafeRawBufferPointer(rebasing: bytes[start..<start + length]))
  }

  /// Finds the whole records of an earlier process, and overwrites what follows them.
  private func findRecords() {
    let end = min(Int(self[.used] & 0xffff_ffff), bytes.count)
    let start = Int(self[.used] >> 32)
    guard start.isMultiple(of: 8), start <= end else { return use(0..<0) }
    used = start..<end
    var found = start
    for record in records {
      guard record.isWhole, found == start || record.number == last + 1 else { break }
      (found, last) = (record.end, record.number)
    }
    overwrite(found..<end)
    use(start..<found)
  }

  private func overwrite(_ range: Range<Int>) {
    UnsafeMutableRawBufferPointer(rebasing: bytes[range])
      .initializeMemory(as: UInt8.self, repeating: 0)
  }

  /// The bytes that a record takes, so that the next one is aligned.
  private static func size(ofRecord count: Int) -> Int {
    (recordHeaderSize + count + 7) & ~7
  }

  /// A hash of a record and its number, eight bytes at a time: the processor's CRC32 would take C.
  private static func checksum(_ bytes: UnsafeRawBufferPointer, _ number: UInt64) -> UInt32 {
    var hash = (number ^ UInt64(bytes.count)) &* prime
    var index = 0
    while index &+ 8 <= bytes.count {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      hash = (hash ^ word) &* prime
      hash ^= hash >> 29
      index &+= 8
    }
    while index < bytes.count {
      hash = (hash ^ UInt64(bytes[index])) &* prime
      hash ^= hash >> 29
      index &+= 1
    }
    return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
  }

  private static let prime: UInt64 = 0x9e37_79b9_7f4a_7c15
}
