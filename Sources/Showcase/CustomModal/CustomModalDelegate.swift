/// What a modal says.
struct CustomModalDelegate: Codable, Hashable, Sendable {
  let title: String
  let subtitle: String
  let primaryButton: String
  let secondaryButton: String
}
