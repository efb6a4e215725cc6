import Foundation
import OffstageHost

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
    } catch let error as UsageError {
      printError("\(error); see offstage --help")
      exit(2)
    } catch {
      printError((error as? CocoaError)?.reason ?? "\(error)")
      exit(1)
    }
  }

  private static func printError(_ text: String) {
    FileHandle.standardError.write(Data("offstage: \(text)\n".utf8))
  }

  /// The longer name first: the screen of `new screen NAME` is not the name of an app.
  private static let commands = [
    Command("new screen", arguments: ["NAME"], help: ""),
    Command("new", arguments: ["NAME"], help: ""),
    Command("generate swift", arguments: ["[DESCRIPTION]"], help: ""),
  ]

  private static func run(_ words: [String]) throws {
    let here = URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory)
    let options = [Option("help", help: "")]
    switch try Arguments(words, options: options, commands: commands).action {
    case .command("new screen", let names): try addScreen(ScreenName(names[0]), in: here)
    case .command("new", let names): try createApp(AppName(names[0]), in: here)
    case .command(_, let files): try GenerateSwift.run(files.first)
    case .help, .version: print(help, terminator: "")
    case .serve: throw UsageError("missing command")
    }
  }

  private static func createApp(_ app: AppName, in here: URL) throws {
    let folder = here.appending(path: app.package, directoryHint: .isDirectory)
    report(try Project.create(app, in: folder), in: here)
    print("\n\(try Project.firstSteps(app, in: folder))")
  }

  private static func addScreen(_ screen: ScreenName, in here: URL) throws {
    report(try Project(in: here).addScreen(screen), in: here)
    print(
      "\nNext: in another screen, add \"let router = Router()\" and call "
        + "router.push(\(screen.type).self)")
  }

  private static func report(_ files: [URL], in folder: URL) {
    for file in files { print("wrote \(file.path(relativeTo: folder))") }
  }
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
