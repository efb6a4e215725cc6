import FaultInjection
import Foundation
import OffstageSystem
import TestSupport
import Testing

@testable import OffstageLive

@Suite struct SecretStoreTests {
  private let directory: TemporaryDirectory
  private var secrets: SecretStore {
    SecretStore(service: "offstage-tests", directory: directory.file("secrets"))
  }

  init() throws { directory = try TemporaryDirectory() }

  @Test func secretsAreKeptUntilTheyAreRemoved() throws {
    #expect(try secrets.secret("token") == nil)
    try secrets.set("token", to: "1f3e")
    try secrets.set("other", to: "비밀\n")
    #expect(try secrets.secret("token") == "1f3e")
    #expect(try secrets.secret("other") == "비밀\n")
    try secrets.set("token", to: "2a")
    #expect(try secrets.secret("token") == "2a")
    for _ in 1...2 { try secrets.set("token", to: nil) }
    #expect(try secrets.secret("token") == nil)
    try secrets.set("other", to: nil)
  }

  @Test func secretsInMemoryLeaveNothing() throws {
    let secrets = SecretStore(service: "offstage-tests", directory: nil)
    try secrets.set("token", to: "1f3e")
    #expect(try secrets.secret("token") == "1f3e")
    try secrets.set("token", to: nil)
    #expect(try secrets.secret("token") == nil)
    #expect(try directory.contents() == [:])
  }

  @Test func tooLongASecretIsRefused() throws {
    try secrets.set("token", to: "1f3e")
    #expect(throws: StorageError.self) {
      try secrets.set("token", to: String(repeating: "x", count: 1 << 17))
    }
    #expect(try secrets.secret("token") == "1f3e")
    try secrets.set("token", to: nil)
  }

  #if os(Linux)
    /// Even if an earlier version or a backup has made the file readable, and whatever the umask.
    @Test(arguments: [0, 0o022] as [mode_t]) func filesAreForTheirOwnerAlone(mask: mode_t) throws {
      let old = umask(mask)
      defer { umask(old) }
      try FileManager.default.createDirectory(
        at: directory.file("secrets"), withIntermediateDirectories: true)
      try Data("old".utf8).write(to: directory.file("secrets/token"))
      chmod(directory.file("secrets/token").path, 0o644)
      try secrets.set("token", to: "1f3e")
      #expect(PrivateFiles.mode(directory.file("secrets/token").path).map { $0 & 0o777 } == 0o600)
    }

    @Test(arguments: JSONFileTests.kinds, [false, true])
    func secretSurvivesEveryFault(kind: UInt32, repeats: Bool) throws {
      var n = 1
      while true {
        try secrets.set("token", to: "old")
        fault_arm(fault_kind(kind), n, repeats ? 1 : 0)
        let result = Result { try secrets.set("token", to: "new") }
        let failed = fault_disarm()
        let found = try secrets.secret("token")
        #expect(["old", "new"].contains(found), "call \(n)")
        if case .success = result { #expect(found == "new") }
        if failed == 0 { break }
        if found == "old" { #expect(throws: StorageError.self) { try result.get() } }
        n += 1
      }
    }
  #endif
}
