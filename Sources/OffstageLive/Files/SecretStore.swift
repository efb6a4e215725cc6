public import OffstageFoundation
import OffstageSystem
import Synchronization

#if canImport(Security)
  import Security
#endif

/// Passwords and tokens, which no one but the user may read: in the keychain of an Apple platform,
/// elsewhere each in a file that only its owner can read.
///
/// A call blocks until the disk has the secret, so call it in `offCore`. Never keep a secret in a port
/// that is not `isSecret`, or in a ``JSONStore``.
/// ```swift
/// let secrets = SecretStore(service: "reader", directory: folder.appending(path: "secrets"))
///
/// try await effects.offCore { try secrets.set("token", to: token) }
/// ```
public final class SecretStore: Sendable {
  /// The directory of the files; nil to keep the secrets in memory.
  private let directory: URL?
  private let service: String
  private let memory = Mutex<[String: String]>([:])

  /// The largest secret, in bytes.
  private static let byteLimit = 64 << 10

  /// Creates a store.
  /// - Parameters:
  ///   - service: The name of the app, by which the keychain lists its secrets.
  ///   - directory: The directory of the files, which is created for its owner alone. nil to keep the
  ///     secrets in memory, for tests and a deterministic run.
  public init(service: String, directory: URL?) {
    self.service = service
    self.directory = directory
  }

  /// Returns a secret; nil if there is none.
  /// - Parameter name: Letters, digits, `-`, and `_`.
  /// - Throws: ``StorageError``, also if the user denies access to the keychain.
  public func secret(_ name: String) throws(StorageError) -> String? {
    Self.check(name)
    guard let directory else { return memory.withLock { $0[name] } }
    #if canImport(Security)
      return try keychainSecret(name)
    #else
      let path = directory.appendingPathComponent(name).path
      return try PrivateFiles.content(path, byteLimit: Self.byteLimit).map {
        String(decoding: $0, as: UTF8.self)
      }
    #endif
  }

  /// Stores a secret; nil removes it.
  /// - Parameters:
  ///   - name: Letters, digits, `-`, and `_`.
  ///   - secret: At most 64 KiB.
  /// - Throws: ``StorageError``. The store then has the earlier secret.
  public func set(_ name: String, to secret: String?) throws(StorageError) {
    Self.check(name)
    guard let directory else { return memory.withLock { $0[name] = secret } }
    guard (secret?.utf8.count ?? 0) <= Self.byteLimit else {
      throw StorageError("The secret \(name) has more than \(Self.byteLimit) bytes.")
    }
    #if canImport(Security)
      try setKeychainSecret(name, to: secret)
    #else
      let file = directory.appendingPathComponent(name)
      do throws(FileError) {
        if let secret {
          try PrivateFiles.replace(file.path, with: Array(secret.utf8))
        } else if unlink(file.path) == 0 {
          try PrivateFiles.sync(directory.path)
        } else if errno != ENOENT {
          throw FileError(file.path)
        }
      } catch {
        throw StorageError(writing: file.path, error)
      }
    #endif
  }

  private static func check(_ name: String) {
    precondition(
      name.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil,
      "the name of a secret has letters, digits, - and _: \"\(name)\"")
  }

  // MARK: The keychain

  #if canImport(Security)
    private func query(_ name: String) -> [CFString: Any] {
      [
        kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name,
      ]
    }

    private func keychainSecret(_ name: String) throws(StorageError) -> String? {
      var query = query(name)
      query[kSecReturnData] = true
      var found: CFTypeRef?
      switch SecItemCopyMatching(query as CFDictionary, &found) {
      case errSecSuccess: return (found as? Data).map { String(decoding: $0, as: UTF8.self) }
      case errSecItemNotFound: return nil
      case let status: throw Self.error("read", name, status)
      }
    }

    private func setKeychainSecret(_ name: String, to secret: String?) throws(StorageError) {
      guard let secret else {
        let status = SecItemDelete(query(name) as CFDictionary)
        guard [errSecSuccess, errSecItemNotFound].contains(status) else {
          throw Self.error("remove", name, status)
        }
        return
      }
      let value: [CFString: Any] = [kSecValueData: Data(secret.utf8)]
      var status = SecItemUpdate(query(name) as CFDictionary, value as CFDictionary)
      if status == errSecItemNotFound {
        status = SecItemAdd(query(name).merging(value) { $1 } as CFDictionary, nil)
      }
      guard status == errSecSuccess else { throw Self.error("store", name, status) }
    }

    private static func error(_ action: String, _ name: String, _ status: OSStatus) -> StorageError
    {
      let reason = SecCopyErrorMessageString(status, nil) as String? ?? "error \(status)"
      return StorageError(
        "Could not \(action) the secret \(name) in the keychain: \(reason) Unlock the keychain.")
    }
  #endif
}
