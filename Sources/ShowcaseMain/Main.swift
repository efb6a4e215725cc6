import Foundation
package import OffstageHost
import Showcase
import ShowcaseLive

/// The reference app: the features of `Showcase` on the repositories of `ShowcaseLive`.
@main
package enum Main {
  package static let program = Program(
    "showcase", version: "0.1.0", options: LiveDependencies.options, commands: [importPlaces]
  ) {
    try CoreBuilder.app(try LiveDependencies.make($0))
  }

  static func main() { program.run() }

  private static let importPlaces = Command(
    "import places", arguments: ["FILE.geojson"],
    help: "import the points of a GeoJSON FeatureCollection, all or none"
  ) { environment, words, console in
    let database = try LiveDependencies.database(environment)
    let places = PlaceImport(URL(fileURLWithPath: words[0]), into: database)
    let report = try await places.run { console.show(progress: $0) }
    for line in report.lines { console.say(line) }
  }
}
