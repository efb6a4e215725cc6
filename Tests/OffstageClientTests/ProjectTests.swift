import FaultInjection
import Foundation
import Testing

@testable import OffstageCommand

#if os(Linux)
  /// The command `offstage` on a disk that fails: the n-th system call of a kind, for every n.
  @Suite struct ProjectTests {
    static let kinds = [
      FAULT_FILE_OPEN, FAULT_FILE_WRITE, FAULT_FILE_SYNC, FAULT_FILE_RENAME, FAULT_FILE_MKDIR,
    ].map(\.rawValue)

    @Test(arguments: kinds, [false, true])
    func appIsCreatedWholeOrNotAtAll(kind: UInt32, repeats: Bool) throws {
      try everyFault(kind, repeats) { folder in
        _ = try Project.create(AppName("todo"), in: folder.appending(path: "todo"))
      }
    }

    @Test(arguments: kinds, [false, true])
    func screenIsAddedWholeOrNotAtAll(kind: UInt32, repeats: Bool) throws {
      try everyFault(kind, repeats) { folder in
        _ = try Project.create(AppName("todo"), in: folder.appending(path: "todo"))
      } run: { folder in
        _ = try Project(in: folder.appending(path: "todo")).addScreen(ScreenName("Search"))
      }
    }

    @Test func firstStepsNameTheFrontEnds() throws {
      let package = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL
      let folder = package.deletingLastPathComponent().appending(path: "issue-tracker")
      let clients = "../\(package.lastPathComponent)/clients"
      #expect(
        try Project.firstSteps(AppName("issue-tracker"), in: folder) == """
          Next: cd issue-tracker && swift build && swift test, and see the app
            in this terminal: \(clients)/terminal/run -- .build/debug/issue_tracker
            in a browser:     \(clients)/web/run -- .build/debug/issue_tracker
          """)
      for name in ["terminal", "web"] {
        let script = package.appending(path: "clients/\(name)/run")
        #expect(FileManager.default.isExecutableFile(atPath: script.path))
      }
    }

    private func everyFault(
      _ kind: UInt32, _ repeats: Bool, prepare: (URL) throws -> Void = { _ in },
      run: (URL) throws -> Void
    ) throws {
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "project-\(UUID().uuidString)", directoryHint: .isDirectory)
      defer { try? FileManager.default.removeItem(at: folder) }
      for n in 1... {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try prepare(folder)
        let before = try contents(of: folder)
        fault_arm(fault_kind(kind), n, repeats ? 1 : 0)
        let result = Result { try run(folder) }
        let failed = fault_disarm()
        switch result {
        case .success: #expect(try contents(of: folder).count > before.count)
        case .failure(let error):
          #expect(try contents(of: folder) == before, "call \(n)")
          let message = (error as? CocoaError)?.reason ?? "\(error)"
          #expect(!message.contains("Domain"), "call \(n)")
        }
        try FileManager.default.removeItem(at: folder)
        if failed == 0 { return }
      }
    }

    /// The files and folders below a folder, and the content of the files.
    private func contents(of folder: URL) throws -> [String: Data] {
      let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      return Dictionary(
        uniqueKeysWithValues: paths.map {
          ($0, FileManager.default.contents(atPath: folder.appending(path: $0).path) ?? Data())
        })
    }
  }
#endif
