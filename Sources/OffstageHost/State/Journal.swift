internal import OffstageJSON
internal import OffstageSystem

/// The changes of the state since its last checkpoint, in mapped memory.
///
/// ```text
/// 0      the header
/// 4096   the first half:  length, checksum, number, bytes; length, …; zeros
///        the second half
/// ```
/// The records of a half are numbered without gaps. A record that was cut by a kill or a loss of power
/// has a wrong checksum, and ends its half. While a checkpoint is written, the other half takes the
/// records that follow it; a half is cleared once a checkpoint contains all of its records.
///
/// The header says how far each half has been written. The rest is never touched, so that it takes
/// no memory.
final class Journal {
  /// The size of a new file.
  enum Size: Int, CaseIterable {
    case large = 4_198_400
    /// For each of many sessions: the blocks of a journal are reserved on the disk.
    case small = 135_168
  }

  private static let headerSize = 4096
  private static let recordHeaderSize = 16
  /// "OFFSTJ01", with the version of the format.
  private static let magic = UInt64(littleEndian: 0x31_304a_5453_4646_4f)

  private let file: MappedFile
  private let halfSize: Int
  // Unchecked on the hot path; see `CoreActor`, on which it is used.
  @exclusivity(unchecked) private var halves: [Half] = []
  @exclusivity(unchecked) private var current = 0

  private struct Half {
    let index: Int
    let start: Int
    var used = 0
    /// The numbers of the first and last record; 0 without records.
    var first = 0
    var last = 0

    var end: HeaderField { index == 0 ? .firstEnd : .secondEnd }
  }

  /// Opens the journal of an earlier process, or a new one.
  init(_ path: String, _ size: Size = .large) throws(FileError) {
    file = try MappedFile(path, size: size.rawValue, orAnyOf: Size.allCases.map(\.rawValue))
    halfSize = (file.bytes.count - Self.headerSize) / 2
    switch self[.magic] {
    case Self.magic: break
    case 0:
      self[.id] = UInt64.random(in: 1 ... .max)
      self[.magic] = Self.magic
    default: throw FileError(description: "\(path) is not a journal of this version")
    }
    halves = (0..<2).map { scan(emptyHalf($0)) }
    current = halves[1].last > halves[0].last ? 1 : 0
  }

  func releaseMemory() { file.releaseMemory() }

  private func emptyHalf(_ index: Int) -> Half {
    Half(index: index, start: Self.headerSize + index * halfSize)
  }

  // MARK: The header

  enum HeaderField: Int {
    case magic = 0
    /// Identifies the journal in the checkpoints that belong to it.
    case id = 8
    /// The number of starts in a row that may have died early.
    case starts = 16
    case revision = 24
    /// The number of bytes of each half that have been written since it was cleared.
    case firstEnd = 32
    case secondEnd = 40
  }

  subscript(field: HeaderField) -> UInt64 {
    get { file.bytes.load(fromByteOffset: field.rawValue, as: UInt64.self) }
    set { file.bytes.storeBytes(of: newValue, toByteOffset: field.rawValue, as: UInt64.self) }
  }

  // MARK: Records

  /// The number of the last record; 0 if there is none.
  var last: Int { max(halves[0].last, halves[1].last) }

  /// True if it is time for a checkpoint, while there is still room for what happens meanwhile.
  var isFilling: Bool { halves[current].used > halfSize / 2 }

  /// Applies the records that follow a checkpoint.
  /// - Parameter number: The number of the last record in the checkpoint. Becomes that of the last
  ///   record that was applied.
  func applyRecords(after number: inout Int, to state: inout JSON) throws {
    for half in halves.sorted(by: { $0.first < $1.first }) {
      var offset = half.start
      for next in half.first..<half.last + 1 where half.used > 0 {
        let bytes = record(at: offset, until: half.start + half.used)
        offset += Self.size(ofRecord: bytes.count)
        guard next == number + 1 else { continue }
        // A value of the deepest line is deeper in the state.
        let patch = try JSON(
          parsing: String(decoding: bytes, as: UTF8.self), depth: 2 * Limits.deepest)
        try state.apply(patch)
        number = next
      }
    }
  }

  /// Adds a record, in the other half if this one is full and the other is empty.
  /// - Returns: False if there is no room.
  func append(_ record: UnsafeRawBufferPointer, number: Int) -> Bool {
    let size = Self.size(ofRecord: record.count)
    let half = halves[current]
    if half.used + size > halfSize || half.used > 0 && half.last + 1 != number {
      guard size <= halfSize, turnOver() else { return false }
    }
    let offset = halves[current].start + halves[current].used
    let bytes = file.bytes
    // First, so that the next process finds what a kill leaves of the record.
    self[halves[current].end] = UInt64(halves[current].used + size)
    UnsafeMutableRawBufferPointer(rebasing: bytes[(offset + Self.recordHeaderSize)...])
      .copyMemory(from: record)
    bytes.storeBytes(of: UInt64(number), toByteOffset: offset + 8, as: UInt64.self)
    bytes.storeBytes(
      of: Self.checksum(record, UInt64(number)), toByteOffset: offset + 4, as: UInt32.self)
    bytes.storeBytes(of: UInt32(record.count), toByteOffset: offset, as: UInt32.self)
    halves[current].used += size
    if halves[current].first == 0 { halves[current].first = number }
    halves[current].last = number
    return true
  }

  /// Lets the other half take the records from now on, if it is empty.
  @discardableResult
  func turnOver() -> Bool {
    guard halves[1 - current].used == 0 else { return false }
    current = 1 - current
    return true
  }

  /// Overwrites the halves whose records are all in a checkpoint, so that nothing is left of what has
  /// been deleted.
  func clear(through number: Int) {
    for index in 0..<2 where halves[index].used > 0 && halves[index].last <= number {
      clear(halves[index], from: 0)
      halves[index] = emptyHalf(index)
    }
  }

  // MARK: The format

  /// Finds the records of a half, and clears what follows them.
  private func scan(_ half: Half) -> Half {
    var half = half
    let written = writtenSize(of: half)
    let end = half.start + written
    while half.used + Self.recordHeaderSize <= written {
      let offset = half.start + half.used
      let bytes = record(at: offset, until: end)
      let number = file.bytes.load(fromByteOffset: offset + 8, as: UInt64.self)
      let checksum = file.bytes.load(fromByteOffset: offset + 4, as: UInt32.self)
      guard !bytes.isEmpty, let number = Int(exactly: number),
        half.used == 0 || number == half.last + 1,
        checksum == Self.checksum(bytes, UInt64(number))
      else { break }
      if half.used == 0 { half.first = number }
      half.last = number
      half.used += Self.size(ofRecord: bytes.count)
    }
    if half.used < written { clear(half, from: half.used) }
    return half
  }

  private func writtenSize(of half: Half) -> Int {
    min(Int(clamping: self[half.end]), halfSize)
  }

  /// Overwrites what has been written from an offset on.
  private func clear(_ half: Half, from offset: Int) {
    let range = half.start + offset..<half.start + writtenSize(of: half)
    UnsafeMutableRawBufferPointer(rebasing: file.bytes[range])
      .initializeMemory(as: UInt8.self, repeating: 0)
    self[half.end] = UInt64(offset)
  }

  /// The bytes of the record at an offset; none if there is no whole record.
  private func record(at offset: Int, until end: Int) -> UnsafeRawBufferPointer {
    let length = Int(file.bytes.load(fromByteOffset: offset, as: UInt32.self))
    let start = offset + Self.recordHeaderSize
    guard length <= end - start else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    return UnsafeRawBufferPointer(rebasing: file.bytes[start..<start + length])
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
