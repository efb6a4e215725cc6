package import OffstageHost
import Showcase

/// The reference app: the features of `Showcase` on the repositories of `ShowcaseLive`.
@main
package enum Main {
  package static let program = Program(
    "showcase", version: "0.1.0", options: World.options, commands: [PlaceCommand.command]
  ) {
    try CoreBuilder.app(try World.dependencies($0))
  }

  static func main() { program.run() }
}
