#if canImport(SwiftUI)
  import OffstageClient
  import OffstageHost
  import ShowcaseProgram
  import ShowcaseUI
  import SwiftUI

  /// The reference app, with its core in the same process.
  @main struct ShowcaseApp: App {
    /// Why the core has not started.
    @State private var problem: String?

    private static let device = AppleDevice()

    private static let core = makeCore()
    // All windows of a Mac show one core, which starts once.
    private static let start = Task { @MainActor in try await core.start() }

    private static var options: Options {
      var options = device.options
      options.client = "showcase-swiftui"
      options.locale = Locale.current.identifier(.bcp47)
      options.timeZone = TimeZone.current.identifier
      return options
    }

    private static func makeCore() -> RemoteCore {
      RemoteCore(options: options) {
        let embedded = try await EmbeddedCore(.showcase, arguments: [])
        return LineTransport(
          send: { embedded.send($0) }, receive: { await embedded.receive() },
          stop: { embedded.stop() })
      }
    }

    var body: some Scene {
      WindowGroup {
        RootView(core: Self.core, device: Self.device)
          .overlay { if let problem { Text(problem).padding() } }
          .task {
            do { try await Self.start.value } catch { problem = "\(error)" }
          }
          .onOpenURL { url in Task { try? await Self.core.open(url.absoluteString) } }
      }
    }
  }
#else
  @main enum ShowcaseApp {
    static func main() { print("SwiftUI is not available on this platform; see clients/terminal") }
  }
#endif
