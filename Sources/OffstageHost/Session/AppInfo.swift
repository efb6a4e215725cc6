/// What the core says of itself.
package struct AppInfo: Sendable {
  package let name: String
  package let version: String
}
