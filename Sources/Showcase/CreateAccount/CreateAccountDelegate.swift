/// What the invitation to create an account says.
struct CreateAccountDelegate: Codable, Hashable, Sendable {
  let title: String
  let subtitle: String

  init(
    title: String = "Create account?",
    subtitle: String = "Your avatars and chats are kept under your name."
  ) {
    self.title = title
    self.subtitle = subtitle
  }
}
