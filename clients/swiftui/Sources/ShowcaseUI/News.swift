import Observation
import OffstageClient

/// The messages of events, such as a failure or a notice, with what is offered about them.
@MainActor
@Observable
final class News {
  private(set) var messages: [Message] = []
  private var count = 0

  struct Message: Identifiable {
    let id: Int
    let text: String
    let buttons: [Button]
    /// True for a failure with a button: a person needs time to decide what to do about it.
    let stays: Bool
  }

  /// The message to take away in some seconds.
  var passing: Message? { messages.first { !$0.stays } }

  /// Collects the messages of all screens until the core ends.
  func follow(_ core: RemoteCore) async {
    for await frame in core.frames() {
      for event in frame.events {
        let screen = core.document.screens[event.screen] ?? core.document.app
        guard let screen, screen.id == event.screen, let description = core.description,
          let sender = RemotePart(screen, description).part(at: path(of: event.name)),
          let port = sender.description.events.first(where: {
            sender.path + $0.name == event.name
          }),
          let text = ScreenPlan.message(of: event.value, port)
        else { continue }
        // A failure that the screen shows is not said twice.
        let isShown = sender.description.outputs.contains { output in
          ScreenPlan.message(of: sender[output.name], output) == text
        }
        if isShown { continue }
        let buttons = ScreenPlan.buttons(with: port, event.value, sender)
        count += 1
        messages.append(
          Message(
            id: count, text: text, buttons: buttons,
            stays: port.role(is: ["failure"]) && !buttons.isEmpty))
      }
    }
  }

  /// The path of the part that sends an event, such as `lines/7/`.
  private func path(of event: String) -> String {
    event.lastIndex(of: "/").map { String(event[...$0]) } ?? ""
  }

  /// Presses a button of a message, which has then served its purpose.
  func press(_ button: Button, _ message: Message) {
    button.press()
    remove(message)
  }

  func remove(_ message: Message) { messages.removeAll { $0.id == message.id } }
}
