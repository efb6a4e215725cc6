import Foundation

struct Project {
  private let folder: URL
  private let module: String

  init(in folder: URL) throws {
    guard FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
    else {
      throw ProjectError("this folder has no Package.swift; run the command in that of an app")
    }
    self.folder = folder
    let app = try Self.app(in: folder)
    module = app.deletingLastPathComponent().lastPathComponent
  }

  /// - Returns: The files that were written.
  static func create(_ name: AppName, in folder: URL) throws -> [URL] {
    guard !FileManager.default.fileExists(atPath: folder.path) else {
      throw ProjectError("\"\(folder.lastPathComponent)\" already exists")
    }
    return try write(
      try Template.app(name, offstage: try offstage.path(relativeTo: folder)), to: folder)
  }

  /// The commands that show and test a new app.
  static func firstSteps(_ name: AppName, in folder: URL) throws -> String {
    let clients = try offstage.appending(path: "clients").path(relativeTo: folder)
    let core = ".build/debug/\(name.module)"
    return """
      Next: cd \(name.package) && swift build && swift test, and see the app
        in this terminal: \(clients)/terminal/run -- \(core)
        in a browser:     \(clients)/web/run -- \(core)
      """
  }

  /// Adds a screen with its test and its transcript, and registers it.
  /// - Returns: The files that were written.
  func addScreen(_ name: ScreenName) throws -> [URL] {
    let app = try Self.app(in: folder)
    let source = try String(contentsOf: app, encoding: .utf8)
    guard let list = source.firstRange(of: Self.marker) else {
      throw ProjectError("\(app.lastPathComponent) has no \"\(Self.marker)\"")
    }
    let files = try Self.write(try Template.screen(name, module: module), to: folder)
    let indent =
      source[..<list.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
      .last.map { $0.prefix { $0 == " " } } ?? ""
    let factory = "\n\(indent)  ScreenFactory(\(name.type).self) { _ in \(name.type)() },"
    do {
      try source.replacingCharacters(in: list, with: Self.marker + factory)
        .write(to: app, atomically: true, encoding: .utf8)
    } catch {
      Self.remove(files, from: folder)
      throw error
    }
    return files + [app]
  }

  private static let marker = "screens: ["

  private static func app(in folder: URL) throws -> URL {
    let sources = folder.appending(path: "Sources")
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      if try String(contentsOf: file, encoding: .utf8).contains(marker) { return file }
    }
    throw ProjectError("no file below Sources composes an app with \"\(marker)\"")
  }

  private static var offstage: URL {
    get throws {
      var folder = URL(filePath: #filePath)
      for _ in 0..<3 { folder.deleteLastPathComponent() }
      guard FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path)
      else { throw ProjectError("the package Offstage is no longer in \(folder.path)") }
      return folder
    }
  }

  /// Writes all files, or none if one of them exists or cannot be written.
  private static func write(_ files: [Template.File], to folder: URL) throws -> [URL] {
    let urls = files.map { folder.appending(path: $0.path) }
    for url in urls where FileManager.default.fileExists(atPath: url.path) {
      throw ProjectError("\(url.path(relativeTo: folder)) already exists")
    }
    do {
      for (url, file) in zip(urls, files) {
        try FileManager.default.createDirectory(
          at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try file.text.write(to: url, atomically: true, encoding: .utf8)
      }
    } catch {
      remove(urls, from: folder)
      throw error
    }
    return urls
  }

  /// Removes files, and the folders that are then empty.
  private static func remove(_ files: [URL], from folder: URL) {
    for file in files { unlink(file.path) }
    for file in files {
      var parent = file.deletingLastPathComponent()
      while parent.path.hasPrefix(folder.path) {
        rmdir(parent.path)
        parent.deleteLastPathComponent()
      }
    }
  }
}

struct ProjectError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
