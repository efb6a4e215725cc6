#if canImport(SwiftUI)
  import Foundation
  import OffstageClient
  import SwiftUI

  struct RichTextView: View {
    let text: RichText

    var body: some View {
      VStack(alignment: .leading, spacing: 8) {
        ForEach(Array(text.blocks.enumerated()), id: \.offset) { _, block in
          switch block {
          case .heading(let level, let runs): styled(runs).font(level == 1 ? .title2 : .headline)
          case .paragraph(let runs): styled(runs)
          case .listItem(let runs):
            HStack(alignment: .top) {
              Text("•")
              styled(runs)
            }
          case .code(let text): Text(text).monospaced()
          }
        }
      }
    }

    private func styled(_ runs: [RichText.Run]) -> Text {
      runs.reduce(Text(verbatim: "")) { text, run in
        var part = AttributedString(run.text)
        part.link = run.link.flatMap { URL(string: $0) }
        var piece = Text(part)
        if run.isBold { piece = piece.bold() }
        if run.isItalic { piece = piece.italic() }
        if run.isCode { piece = piece.monospaced() }
        return text + piece
      }
    }
  }

  /// A picture from the network, or one of the core's resources.
  struct PictureView: View {
    let picture: Picture
    let core: RemoteCore
    @State private var address: URL?

    private var height: CGFloat {
      ["avatar": 64, "poster": 240, "thumbnail": 120, "icon": 32][picture.use ?? ""] ?? 180
    }

    var body: some View {
      AsyncImage(url: address) { image in
        image.resizable().scaledToFit()
      } placeholder: {
        Color.clear
      }
      .frame(height: height)
      .clipShape(RoundedRectangle(cornerRadius: picture.use == "avatar" ? height / 2 : 4))
      .accessibilityLabel(picture.alt)
      .accessibilityHidden(picture.alt.isEmpty)
      .task(id: picture.uri) { address = await load() }
    }

    private func load() async -> URL? {
      let uri = picture.uri
      guard uri.hasPrefix("resource:") else { return URL(string: uri) }
      guard let resource = try? await core.resource(uri) else { return nil }
      return URL(string: "data:\(resource.mimeType);base64,\(resource.base64)")
    }
  }
#endif
