import Foundation
import OffstageHost
import ShowcaseLive

/// `showcase import places`: fills the map with places of one's own.
enum PlaceCommand {
  static let command = Command(
    "import places", arguments: ["FILE.geojson"],
    help: "take the points of a GeoJSON FeatureCollection into the database, all or none"
  ) { environment, words, console in
    let database = try World.database(environment)
    let places = PlaceImport(URL(fileURLWithPath: words[0]), into: database)
    let report = try await places.run { console.show(progress: $0) }
    for line in report.lines { console.say(line) }
  }
}
