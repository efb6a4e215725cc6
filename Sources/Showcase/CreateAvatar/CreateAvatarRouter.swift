internal import Offstage

/// Where making up an avatar can lead.
@CoreActor
protocol CreateAvatarRouter {
  /// Asks whether to throw away what was typed.
  /// - Throws: `PromptError` where there is no answer.
  func confirmDiscard() async throws -> Bool
  func dismissScreen()
  func showAlert(_ error: any Error)
}

extension CoreRouter: CreateAvatarRouter {}
