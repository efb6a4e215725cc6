package import OffstageJSON

/// Why a route leads nowhere.
package enum RouteError: Error, CustomStringConvertible {
  case unknownKind(String)
  case wrongArgument(String, JSONMismatch)
  case unknownURL(String)
  case unknownTab(String)
  case noTabs

  package var description: String {
    switch self {
    case .unknownKind(let kind):
      "The app has no screen \"\(kind)\". Register a factory for it in App.screens."
    case .wrongArgument(let kind, let mismatch):
      "The screen \"\(kind)\" cannot be opened with this argument: expected \(mismatch.expected) "
        + "at \"\(mismatch.path)\", found \(mismatch.found)."
    case .unknownURL(let url):
      "No route of the app matches \(url)."
    case .unknownTab(let tab):
      "The app has no tab \"\(tab)\"."
    case .noTabs:
      "A root of tabs needs at least one tab."
    }
  }
}
