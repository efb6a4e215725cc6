#if canImport(SwiftUI)
  import OffstageClient
  import OffstageHost
  import ShowcaseProgram
  import ShowcaseUI
  import SwiftUI

  /// The reference app, with its core in the same process.
  @main struct ShowcaseApp: App {
    @State private var core = Self.core()

    private static let device = AppleDevice()

    private static var options: Options {
      var options = device.options
      options.client = "showcase-swiftui"
      options.locale = Locale.current.identifier(.bcp47)
      options.timeZone = TimeZone.current.identifier
      return options
    }

    private static func core() -> RemoteCore {
      RemoteCore(options: options) {
        let embedded = try await EmbeddedCore(.showcase, arguments: [])
        return LineTransport(
          send: { embedded.send($0) }, receive: { await embedded.receive() },
          stop: { embedded.stop() })
      }
    }

    var body: some Scene {
      WindowGroup {
        RootView(core: core, device: Self.device)
          .task { try? await core.start() }
          .onOpenURL { url in Task { try? await core.open(url.absoluteString) } }
      }
    }
  }
#else
  @main enum ShowcaseApp {
    static func main() { print("SwiftUI is not available on this platform; see clients/terminal") }
  }
#endif
