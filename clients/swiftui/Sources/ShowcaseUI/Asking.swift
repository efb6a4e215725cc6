import Foundation
import Observation
import OffstageClient

/// Asks one question after the other: keeps what has been typed, sends the answer, and says why it
/// cannot be taken.
@MainActor
@Observable
final class Asking {
  private let core: RemoteCore
  private let device: any Device
  private var draft = Draft()
  /// The address of a link that the person has followed.
  private var link: String?

  /// What the person has done about a question.
  private struct Draft {
    var question = ""
    var texts: [String: String] = [:]
    var problem = ""
  }

  /// - Parameter device: The device whose ``Device/options`` the core has been created with.
  init(core: RemoteCore, device: any Device) {
    (self.core, self.device) = (core, device)
  }

  /// The question to show: the first prompt whose screen is visible and that no handler answers.
  var question: Question? {
    guard let description = core.description else { return nil }
    let visible = core.document.navigation.visible
    let prompt = core.document.prompts.first {
      core.options.handlers[$0.kind] == nil && (visible.contains($0.screen) || $0.screen == "app")
    }
    return prompt.map { Question($0, description) } ?? link.map { Question(link: $0) }
  }

  /// Asks before a link in a text is opened: the text may come from elsewhere.
  func follow(_ link: String) { (self.link, draft) = (link, Draft()) }

  /// Answers a question that the device asks the person itself. Call this when it comes up.
  func begin(_ question: Question) {
    if question.isAnsweredAtOnce, let choice = question.buttons.first { press(choice, question) }
  }

  // MARK: Typing

  func texts(_ question: Question) -> [String: String] {
    draft.question == question.id ? draft.texts : [:]
  }

  func type(_ text: String, _ field: String, _ question: Question) {
    change(question) { $0.texts[field] = text }
  }

  /// Why the last answer was not taken; empty if there is nothing to say.
  func problem(_ question: Question) -> String {
    draft.question == question.id ? draft.problem : ""
  }

  func fail(_ question: Question, _ text: String) { change(question) { $0.problem = text } }

  /// The day of a question for one.
  func day(_ choice: DayChoice, _ question: Question) -> Date {
    texts(question)["date"].flatMap { Day.date($0) } ?? choice.selected
  }

  func pick(_ day: Date, _ question: Question) { type(Day.text(of: day), "date", question) }

  private func change(_ question: Question, _ edit: (inout Draft) -> Void) {
    if draft.question != question.id { draft = Draft(question: question.id) }
    edit(&draft)
  }

  // MARK: Answering

  func press(_ choice: Question.Choice, _ question: Question) {
    switch choice.act {
    case .answer(let make):
      let texts = texts(question)
      answer(question) { try make(texts) }
    case .open(let address):
      answer(question) { [device] in
        guard let url = URL(string: address), await device.open(url) else {
          throw Mistake("\(address) cannot be opened.")
        }
        return [:]
      }
    case .locate:
      answer(question) { [device] in
        let place = try await device.locate()
        let (latitude, longitude) = (place.latitude, place.longitude)
        return try ["lat": Value(encoding: latitude), "lng": Value(encoding: longitude)]
      }
    }
  }

  /// Sends a file that the person has picked.
  /// - Parameter type: The media type of the file.
  func take(_ file: URL, _ type: String, _ rule: FileRule, _ question: Question) {
    do {
      // The system opens a picked file to the app only until this returns.
      let value = try rule.read(file, type)
      answer(question) { value }
    } catch { fail(question, error.description) }
  }

  /// Returns the bytes of a file to save; nil if they cannot be read, and the question says so.
  func load(_ file: SavedFile, _ question: Question) async -> Data? {
    do { return try await core.bytes(of: file.uri) } catch {
      fail(question, "\(file.name) cannot be read.")
      return nil
    }
  }

  /// Says that the file has been saved.
  func saved(_ question: Question) { answer(question) { [:] } }

  /// Takes the address to which the browser has come back.
  func signedIn(_ url: String, _ question: Question) {
    type(url, "url", question)
    if let choice = question.buttons.first { press(choice, question) }
  }

  func dismiss(_ question: Question) {
    guard let prompt = question.prompt else {
      link = nil
      return
    }
    Task { [core] in try? await core.dismiss(prompt) }
  }

  /// Sends an answer. If it cannot be made, or the core refuses it, the question says why and stays.
  /// If the device fails, the core is told.
  private func answer(
    _ question: Question, _ make: @escaping @MainActor () async throws -> Value
  ) {
    if !problem(question).isEmpty { fail(question, "") }
    Task { [core] in
      do {
        let value = try await make()
        guard let prompt = question.prompt else {
          link = nil
          return
        }
        try await core.answer(prompt, value)
      } catch let error as CoreEnded {
        fail(question, "\(error)")
      } catch {
        if question.isAnsweredAtOnce, let prompt = question.prompt, !(error is Refusal) {
          try? await core.reject(prompt, message: "\(error)")
        } else {
          fail(question, (error as? Refusal)?.message ?? "\(error)")
        }
      }
    }
  }
}
