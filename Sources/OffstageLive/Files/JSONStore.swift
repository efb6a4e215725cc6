public import Offstage
public import OffstageFoundation
import OffstageJSON
import OffstageSystem
import Synchronization

/// A value in memory that is kept in a JSON file, such as the user's lists and preferences.
///
/// A change is written a moment later, together with those that follow it, on another thread, and at
/// the latest when the program ends normally. The file is replaced as a whole: after a crash or a
/// power cut, it has the old content or the new one. Only its owner can read it.
///
/// If a write fails, for example because the disk is full, the app goes on with the value in memory;
/// ``failure`` says why, and the next change and the end of the program try again.
///
/// Each change writes the whole value, so use a ``Database`` for more than a few megabytes, and for
/// data that several processes change: here, the last one to write wins.
/// ```swift
/// final class AppScope: Scope {
///   let notes: JSONStore<[Note]>
///
///   init(folder: URL) throws {
///     notes = try JSONStore(folder.appending(path: "notes.json"), initial: [])
///     output.saveError.derive { [notes] in notes.failure.value?.description }
///   }
/// }
///
/// scope.notes.update { $0.append(note) }
/// ```
@CoreActor
public final class JSONStore<Value: Codable & Sendable> {
  /// The current value.
  public private(set) var value: Value

  /// Why the newest write failed; nil after a success.
  public let failure = Out<StorageError?>(nil)

  private let file: JSONFile?
  private let delay: Duration
  private let effects = Effects()
  private let log = Log()
  /// The number of changes, and how many of them the file has.
  private var (changes, written) = (0, 0)
  private var isScheduled = false

  /// Reads the file, or starts with `initial` if there is none. Create the store while a scope or a
  /// screen is being created, as `Effects()`.
  /// - Parameters:
  ///   - file: The file. It and its directory are created by the first write. nil to keep the value
  ///     in memory, as in tests.
  ///   - initial: The value if there is no file.
  ///   - delay: The time from a change to its write, in which further changes join it.
  ///   - byteLimit: The largest file to read or write, in bytes.
  /// - Throws: ``StorageError`` if the file is damaged or cannot be read. It is left as it is.
  public init(
    _ file: URL?, initial: Value, delay: Duration = .milliseconds(200), byteLimit: Int = 64 << 20
  ) throws(StorageError) {
    self.file = file.map { JSONFile($0, byteLimit: byteLimit) }
    self.delay = delay
    value = try self.file?.read(Value.self) ?? initial
    effects.onClose { [self] in schedule() }
  }

  /// Changes the value, and writes it soon. If `change` throws, nothing has changed.
  @discardableResult
  public func update<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
    var new = value
    let result = try change(&new)
    value = new
    changes += 1
    schedule()
    return result
  }

  /// Writes the value now, and returns once it is on the disk.
  /// - Throws: ``StorageError``. The file then has an earlier value.
  public func save() async throws {
    guard let file, written < changes else { return }
    let (number, value) = (changes, value)
    do {
      try await effects.offCore { try file.write(value, number) }
      written = max(written, number)
      failure.value = nil
    } catch let error as StorageError {
      failure.value = error
      throw error
    }
  }

  private func schedule() {
    guard file != nil, written < changes, !isScheduled else { return }
    isScheduled = true
    // The change has been made, whatever becomes of the request that made it.
    effects.runWithoutCause { [self] in
      try await effects.sleep(for: delay)
      // Changes during the write need another one.
      isScheduled = false
      try await save()
    } catch: { [log] in
      log.error("\($0)")
    }
  }
}

/// A file that is replaced as a whole.
final class JSONFile: Sendable {
  private let url: URL
  private let byteLimit: Int
  /// The number of the newest value that was written.
  private let newest = Mutex(0)

  init(_ url: URL, byteLimit: Int) {
    self.url = url
    self.byteLimit = byteLimit
  }

  /// - Returns: nil if there is no file.
  func read<Value: Decodable>(_ type: Value.Type) throws(StorageError) -> Value? {
    guard let bytes = try PrivateFiles.content(url.path, byteLimit: byteLimit) else { return nil }
    do {
      let text = try JSONText(bytes)
      text.hasLargeIntegers = true
      return try text.withRoot { try $0.decode(Value.self) }
    } catch {
      throw StorageError(
        """
        \(url.path): damaged, or of another version of the app (\(error)). Restore it from a \
        backup, or move it away to start anew.
        """)
    }
  }

  /// Replaces the content, unless a newer value has been written: writes may overtake one another.
  func write(_ value: some Encodable, _ number: Int) throws(StorageError) {
    var writer = JSONWriter()
    do { try writer.encode(value) } catch {
      throw StorageError("Could not write \(url.path): \(error).")
    }
    let content = Array(writer.bytes) + "\n".utf8
    guard content.count <= byteLimit else {
      throw StorageError(
        "Could not write \(url.path): \(content.count) bytes exceed the limit of \(byteLimit).")
    }
    try newest.withLock { newest throws(StorageError) in
      guard number > newest else { return }
      do throws(FileError) { try PrivateFiles.replace(url.path, with: content) } catch {
        throw StorageError(writing: url.path, error)
      }
      newest = number
    }
  }
}
