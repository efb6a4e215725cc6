import Foundation

/// The command `offstage`, which starts an app and adds screens to it.
@main enum OffstageCommand {
  static let help = """
    usage: offstage new NAME           create an app in the folder NAME
           offstage new screen NAME    add a screen to the app in this folder
           offstage generate swift [DESCRIPTION]
                                       write the types of an app, for a front end in Swift
           offstage --help             print this help

    NAME is that of a package, such as issue-tracker, whose program is then issue_tracker, or that of
    a type, such as IssueList. A new app comes with a unit test and a recorded run, and so does a new
    screen.

    From the folder that contains this package:

        swift run --package-path offstage offstage new todo

    """

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      let text = (error as? CocoaError)?.reason ?? "\(error)"
      FileHandle.standardError.write(Data("offstage: \(text)\n".utf8))
      exit(error is UsageError ? 2 : 1)
    }
  }

  private static func run(_ words: [String]) throws {
    let here = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    let rest = words.dropFirst()
    switch words.first {
    case _ where words.contains("--help") || words.contains("-h"), "help":
      print(help, terminator: "")
    case "new" where rest.first == "screen": try addScreen(named: rest.dropFirst(), in: here)
    case "new": try createApp(named: rest, in: here)
    case "generate": try GenerateSwift.run(rest)
    case let command?: throw UsageError("unknown command \"\(command)\"; see offstage --help")
    case nil: throw UsageError("missing command; see offstage --help")
    }
  }

  private static func createApp(named words: ArraySlice<String>, in here: URL) throws {
    guard let name = words.first, words.count == 1 else {
      throw UsageError("expected offstage new NAME")
    }
    let app = try AppName(name)
    let folder = here.appending(path: app.package, directoryHint: .isDirectory)
    report(try Project.create(app, in: folder), in: here)
    print("\nNext: cd \(app.package) && swift test")
  }

  private static func addScreen(named words: ArraySlice<String>, in here: URL) throws {
    guard let name = words.first, words.count == 1 else {
      throw UsageError("expected offstage new screen NAME")
    }
    let screen = try ScreenName(name)
    report(try Project(in: here).addScreen(screen), in: here)
    print(
      "\nNext: in another screen, add \"let router = Router()\" and call "
        + "router.push(\(screen.type).self)")
  }

  private static func report(_ files: [URL], in folder: URL) {
    for file in files { print("wrote \(file.path(relativeTo: folder))") }
  }
}

/// An invalid command line, for which the command exits with status 2.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

extension CocoaError {
  /// The file and the reason, such as `README.md: No space left on device`.
  var reason: String {
    let cause = underlying.map { $0 as NSError }
    let code = cause.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil }
    let reason = code.map { String(cString: strerror($0)) } ?? localizedDescription
    return [filePath ?? url?.path, reason].compactMap(\.self).joined(separator: ": ")
  }
}

extension URL {
  /// Returns the path relative to a folder, with `..` where it leaves the folder.
  func path(relativeTo folder: URL) -> String {
    let base = folder.standardizedFileURL.pathComponents
    let own = standardizedFileURL.pathComponents
    let common = zip(base, own).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: base.count - common) + own[common...])
      .joined(separator: "/")
  }
}
