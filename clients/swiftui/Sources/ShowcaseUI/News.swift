import Observation
import OffstageClient

/// The short messages of events, such as a failure or a notice, which a view shows for some seconds.
@MainActor
@Observable
final class News {
  private(set) var texts: [String] = []

  /// Collects the messages of all screens until the core ends.
  func follow(_ core: RemoteCore) async {
    for await frame in core.frames() {
      for event in frame.events {
        let screen = core.document.screens[event.screen] ?? core.document.app
        guard let screen, screen.id == event.screen, let ports = core.description?[screen].events,
          let port = ports.first(where: { $0.name == event.name }),
          let text = ScreenPlan.message(of: event.value, port)
        else { continue }
        // A failure that the screen shows is not said twice.
        let isShown = core.description?[screen].outputs.contains { output in
          ScreenPlan.message(of: screen[output.name], output) == text
        }
        if isShown != true { texts.append(text) }
      }
    }
  }

  /// Takes away the oldest message.
  func removeFirst() { if !texts.isEmpty { texts.removeFirst() } }
}
