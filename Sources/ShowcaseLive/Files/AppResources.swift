package import Offstage
package import OffstageLive
import Showcase

/// The bytes behind the app's `resource:` URIs: pictures that are drawn on demand, the ground of the
/// map, the sample film, and pictures from the cache.
package enum AppResources {
  package static func resource(at path: String, or images: PictureCache) async throws -> Resource? {
    let drawn = Tile(path: path)?.svg ?? Portrait(path: path)?.svg ?? PosterArt(path: path)?.svg
    if let drawn { return Resource(mimeType: "image/svg+xml", .bytes(Array(drawn.utf8))) }
    if let ground = SeoulGround.json(path: path) {
      return Resource(mimeType: "application/json", .bytes(Array(ground.utf8)))
    }
    if path == SampleFilm.path {
      return Resource(mimeType: "video/webm", .bytes(PackageResources.sample_webm))
    }
    return try await images.resource(at: path)
  }
}
