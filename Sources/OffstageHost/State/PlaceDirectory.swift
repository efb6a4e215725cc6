internal import OffstageSystem

/// The directory of a place, which one process uses at a time.
final class PlaceDirectory {
  let path: String
  /// Holds the lock; -1 if there is no directory.
  private let descriptor: Int32
  private static let mostPlaces = 64

  /// Creates the directory if it does not exist, and those around it.
  /// - Returns: nil while another process uses it.
  init?(_ path: String) {
    _ = try? PrivateFiles.createDirectory(path)
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor < 0 || tryLock(descriptor) else {
      systemClose(descriptor)
      return nil
    }
    (self.path, self.descriptor) = (path, descriptor)
  }

  /// Returns the directory, or one within it while other processes use it: `2`, `3`, and so on.
  static func free(_ path: String, _ app: AppInfo) -> PlaceDirectory? {
    for number in 1...Self.mostPlaces {
      let candidate = number == 1 ? path : "\(path)/\(number)"
      guard let directory = PlaceDirectory(candidate) else { continue }
      if number > 1 {
        StandardStreams.printError(
          "\(app.name): another process keeps its place in \(path), so this one uses \(candidate)")
      }
      return directory
    }
    StandardStreams.printError(
      "\(app.name): \(Self.mostPlaces) processes keep their places in \(path), so this one keeps none"
    )
    return nil
  }

  deinit { if descriptor >= 0 { unlockAndClose(descriptor) } }
}

extension AppInfo {
  /// Renames a file that cannot be used, and says so.
  /// - Parameter reason: A sentence that begins with the path.
  func setAside(_ file: String, because reason: String, _ consequence: String) {
    let aside = file + ".rejected"
    let isKept = rename(file, aside) == 0
    StandardStreams.printError(
      "\(name): \(reason), so \(consequence)" + (isKept ? "; the file is now \(aside)" : ""))
  }
}
