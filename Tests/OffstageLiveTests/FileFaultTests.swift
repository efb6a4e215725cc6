import FaultInjection
import Foundation
import OffstageSystem
import TestSupport
import Testing

@testable import LiveTestSupport
@testable import OffstageLive

#if os(Linux)
  /// The n-th system call of a kind fails, for n over a whole run: files are complete or not there,
  /// and every failure is reported.
  @Suite struct FileFaultTests {
    static let kinds = [
      FAULT_FILE_OPEN, FAULT_FILE_WRITE, FAULT_FILE_SYNC, FAULT_FILE_RENAME, FAULT_FILE_MKDIR,
    ].map(\.rawValue)
    static let databaseKinds = [
      FAULT_WRITE, FAULT_SYNC, FAULT_OPEN, FAULT_SHM, FAULT_MALLOC,
    ].map(\.rawValue)

    @Test(arguments: kinds, [false, true])
    func picturesSurviveEveryFault(kind: UInt32, repeats: Bool) async throws {
      try await withTaskExecutorPreference(QueueExecutor()) {
        for n in 1... {
          let directory = try TemporaryDirectory()
          let database = try Database(
            .directory(directory.url), migrations: [.pictureCache], execution: .inline)
          defer { database.close() }
          let cache = FileList(database: database, folder: "files", byteLimit: 1000)
          fault_arm(fault_kind(kind), n, repeats ? 1 : 0)
          var kept: Set<Int> = []
          for number in 1...3 {
            if (try? await cache.keep(picture(number), suffix: "png", for: url(number))) != nil {
              kept.insert(number)
            }
          }
          let failed = fault_disarm()
          for number in 1...3 {
            let name = try await cache.find(url(number))
            let file = name.map { directory.file("files/\($0)") }
            #expect(try file.map { try Data(contentsOf: $0) } ?? picture(number) == picture(number))
            #expect(file != nil || !kept.contains(number), "call \(n)")
          }
          _ = try await cache.keep(picture(4), suffix: "png", for: url(4))
          let files = try FileManager.default.contentsOfDirectory(
            atPath: directory.file("files").path)
          let listed: [String] = try await database.read { connection in
            try connection.rows("SELECT file FROM cached_files") { try $0[0] }
          }
          #expect(Set(files).isSubset(of: listed), "call \(n)")
          if failed == 0 {
            #expect(kept.count == 3)
            return
          }
        }
      }
    }

    private func url(_ number: Int) -> String { "http://localhost/\(number)" }

    private func picture(_ number: Int) -> Data { Data("picture \(number)".utf8) }

    @Test func fullDiskHasAMessage() async throws {
      let directory = try TemporaryDirectory()
      let database = try Database(
        .directory(directory.url), migrations: [.pictureCache], execution: .inline)
      defer { database.close() }
      let cache = FileList(database: database, folder: "files", byteLimit: 1000)
      let failure = await withTaskExecutorPreference(QueueExecutor()) {
        await #expect(throws: StorageError.self) {
          fault_arm(FAULT_FILE_WRITE, 1, 0)
          defer { _ = fault_disarm() }
          _ = try await cache.keep(picture(1), suffix: "png", for: url(1))
        }
      }
      #expect(failure?.isDiskFull == true)
      #expect(
        failure?.description.hasSuffix(": No space left on device. Free some space.") == true)
    }

    /// A loss of power may leave the name of a file without its content.
    @Test func truncatedPictureIsNotServed() async throws {
      let directory = try TemporaryDirectory()
      let database = try Database(
        .directory(directory.url), migrations: [.pictureCache], execution: .inline)
      defer { database.close() }
      let cache = FileList(database: database, folder: "files", byteLimit: 1000)
      let name = try await cache.keep(picture(1), suffix: "png", for: url(1))
      try Data().write(to: directory.file("files/\(name)"))
      #expect(try await cache.content(of: name) == nil)
      #expect(try await cache.find(url(1)) == nil)
    }

    @Test(arguments: databaseKinds + kinds, [false, true])
    func backupIsCompleteOrRemoved(kind: UInt32, repeats: Bool) throws {
      let directory = try TemporaryDirectory()
      let database = try Database(
        .directory(directory.url), migrations: [.pictureCache], execution: .inline)
      defer { database.close() }
      var n = 1
      while true {
        let folder = try TemporaryDirectory()
        let file = folder.file("app.sqlite")
        fault_arm(fault_kind(kind), n, repeats ? 1 : 0)
        let result = Result { try database.backUp(to: file) }
        let failed = fault_disarm()
        switch result {
        case .success:
          let copy = try Database(
            .directory(folder.url), migrations: [.pictureCache], execution: .inline)
          #expect(try copy.problems() == [], "call \(n)")
          copy.close()
        case .failure(let error):
          let names = try folder.contents().keys.sorted()
          #expect(names == [], "call \(n)")
          #expect("\(error)".hasSuffix("; no backup was made"), "call \(n)")
        }
        if failed == 0 { break }
        n += 1 + n / 12
      }
    }

    @Test(arguments: kinds, [false, true])
    func downloadIsCompleteOrFails(kind: UInt32, repeats: Bool) async throws {
      try await withTaskExecutorPreference(QueueExecutor()) {
        for n in 1... {
          let folder = try TemporaryDirectory()
          let file = try PrivateFiles.createFile(folder.file("places.geojson").path)
          defer { systemClose(file) }
          try PrivateFiles.write(Array("of an earlier attempt".utf8), to: file, "places")
          let buffer = ResponseBuffer(timeout: .seconds(600))
          let stream = HTTPStream(buffer, HTTPTransport())
          _ = Data("complete".utf8).withUnsafeBytes { buffer.receive($0) }
          buffer.finish(.success(()))
          fault_arm(fault_kind(kind), n, repeats ? 1 : 0)
          var failure: StorageError?
          do { try await stream.save(to: file) } catch {
            failure = error as? StorageError
          }
          let failed = fault_disarm()
          #expect((failure == nil) == (failed == 0), "call \(n)")
          if failed == 0 {
            #expect(try folder.contents() == ["places.geojson": Data("complete".utf8)])
            return
          }
        }
      }
    }

    @Test func missingThreadFailsTheRequest() async throws {
      let transport = HTTPTransport()
      defer { transport.stop() }
      let url = URL(string: "http://127.0.0.1:9/")!
      let request = HTTPRequest(.get, url)
      fault_arm(FAULT_THREAD, 1, 0)
      let stream = transport.start(request, bodyLimit: 1, ResponseBuffer(timeout: .seconds(60)))
      #expect(fault_disarm() == 1)
      await #expect(throws: HTTPError.Reason.self) { try await stream.head() }
      // The next request starts the thread.
      await #expect(throws: HTTPError.Reason.refused) {
        try await transport.start(request, bodyLimit: 1, ResponseBuffer(timeout: .seconds(60)))
          .head()
      }
    }
  }
#endif
