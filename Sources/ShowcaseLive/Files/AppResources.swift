package import Offstage
package import OffstageLive
import Showcase

/// The bytes behind the app's `resource:` URIs: tiles, which are drawn on demand, the sample film, and
/// pictures from the cache.
package struct AppResources: ResourceSource {
  private let images: FileCache<PictureFormat>

  package init(images: FileCache<PictureFormat>) {
    self.images = images
  }

  package func resource(at path: String) async throws -> Resource? {
    if let tile = Tile(path: path) {
      return Resource(mimeType: "image/svg+xml", .bytes(Array(tile.svg.utf8)))
    }
    if path == SampleFilm.path {
      return Resource(mimeType: "video/webm", .bytes(PackageResources.sample_webm))
    }
    return try await images.resource(at: path)
  }
}
