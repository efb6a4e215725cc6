import Offstage

/// The questions of the app.
extension Effects {
  /// Asks before something is lost. Returns false if the user dismisses the question.
  func confirm(_ title: String, _ action: String) async -> Bool {
    let yes = Dialog.Button("yes", action, role: .destructive)
    let dialog = Dialog(title, buttons: [yes, .init("no", "Cancel", role: .cancel)])
    return (try? await ask(.confirmationDialog(dialog)).button) == yes.id
  }

  func pickFile() async throws -> PickedFile {
    try await ask(Prompt("file.pick", FileTypes(types: ["pdf", "png"])))
  }

  func takePhoto() async throws -> PickedFile {
    guard try await ask(Prompt<Bool>("camera.permission")) else {
      throw PromptError.refused(message: "The camera is not allowed.")
    }
    return try await ask(Prompt("camera.capture"))
  }
}

struct FileTypes: Codable, Sendable { let types: [String] }
struct PickedFile: Codable, Sendable { let path: String }
