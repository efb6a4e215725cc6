import OffstageJSON
import TestSupport

extension RandomWalk {
  /// An action of the user or the device: a request. A double tap sends it twice.
  struct Step: CustomStringConvertible {
    private(set) var method = "clock/advance"
    private(set) var params: JSON = ["milliseconds": 1]
    private(set) var count = 1
    /// The largest number of screens that a tap opens; nil for any other step.
    private(set) var mostOpened: Int?
    /// True for a tap that the screen offers, which must have a visible effect.
    private(set) var mustShow = false

    var description: String { "\(method) \(params)\(count > 1 ? " twice" : "")" }

    init(_ document: JSON, _ app: AppDescription, _ random: inout SplitMix64) {
      let prompts = document["prompts"]?.members ?? []
      let screens = document["screens"]?.members.map(\.key) ?? []
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<25 where !prompts.isEmpty:
        let (id, prompt) = prompts.randomElement(using: &random)!
        method = "answer"
        params = Self.answer(id, prompt, app, &random)
      case 0..<8,
        25..<32 where screens.count > 12:
        method = "navigation/back"
        params = [:]
      case 8..<10:
        method = ["navigation/dismiss", "navigation/popTo"].randomElement(using: &random)!
        params = ["screen": .string(screens.randomElement(using: &random)!)]
      case 10..<17:
        let tabs = document["navigation"]?["root"]?["tabs"]?.array?.compactMap { $0["id"] } ?? []
        guard let tab = tabs.randomElement(using: &random) else { return }
        method = "navigation/selectTab"
        params = ["tab": tab]
      case 17..<19:
        method = "navigation/open"
        params = ["url": .string("showcase://\(Self.links.randomElement(using: &random)!)")]
      case 19..<28:
        let times = [1, 100, 300, 1000, 5000, 100_000]
        params = ["milliseconds": .number(JSONNumber(times.randomElement(using: &random)!))]
      case 28..<35:
        // A tap on a covered screen, from a front end that does not know of the cover yet, opens none.
        input(on: screens.randomElement(using: &random)!, document, app, &random)
      default:
        let visible = Self.visible(document)
        let offers = input(on: visible, document, app, &random)
        mustShow = offers && prompts.isEmpty
      }
    }

    /// Sends an input to a screen.
    /// - Returns: true if the screen offers the input, and the input always has a visible effect.
    @discardableResult private mutating func input(
      on id: String, _ document: JSON, _ app: AppDescription, _ random: inout SplitMix64
    ) -> Bool {
      guard let screen = document["screens"]?[id], let kind = screen["kind"]?.string,
        let input = app.inputs[kind]?.randomElement(using: &random)
      else { return false }
      let output = screen["output"] ?? .null
      method = "input"
      params = [
        "screen": .string(id), "name": .string(input.name),
        "value": app.value(of: input, kind, output, &random),
      ]
      count = Int.random(in: 0..<4, using: &random) == 0 ? 2 : 1
      mostOpened = id == Self.visible(document) ? 1 : 0
      return input.name.hasSuffix("Tapped") && Self.isOffered(kind, input, output)
    }

    /// False if the outputs of a screen disable a tap.
    private static func isOffered(
      _ kind: String, _ input: AppDescription.Input, _ output: JSON
    ) -> Bool {
      if let enabledBy = input.schema["x-enabledBy"]?.string {
        return output[enabledBy]?.bool == true
      }
      return switch "\(kind).\(input.name)" {
      case "chats.undoTapped": output["deleted"]?.isNull == false
      case "profile.createAccountTapped", "settings.createAccountTapped":
        output["account"]?.isNull == true
      case "profile.editProfileTapped", "settings.signOutTapped", "settings.deleteAccountTapped":
        output["account"]?.isNull == false
      case "titleDetail.playTapped":
        output["detail"]?["canPlay"]?.bool == true && output["isPlaying"]?.bool == false
      case "titleDetail.pauseTapped": output["isPlaying"]?.bool == true
      case "titleDetail.bookmarkTapped": output["detail"]?["canBeBookmarked"]?.bool == true
      // An open place stays open.
      case "map.placeTapped": output["details"]?.isNull == true
      case "map.returnTapped": output["emptyArea"]?.isNull == false
      // Not every card has a bookmark.
      case "library.bookmarkTapped": false
      default: true
      }
    }

    private static let links = [
      "map", "map/all", "map/place/3", "map/place/999", "explore", "explore/cooks", "chats",
      "chats/mina", "chats/unknown", "avatars/ada", "pokedex/25", "pokedex/9999",
      "library/parasite",
      "library/unknown", "profile", "profile/settings", "unknown",
    ]

    /// The screen that the user sees: the topmost modal, or the top of the topmost stack.
    private static func visible(_ document: JSON) -> String {
      let navigation = document["navigation"]
      if let modal = navigation?["modals"]?.array?.last { return modal["screen"]?.string ?? "" }
      if let top = navigation?["presented"]?.array?.last?["screens"]?.array?.last {
        return top.string ?? ""
      }
      let root = navigation?["root"]
      let stack =
        root?["tabs"]?.array?.first { $0["id"] == root?["selected"] }?["screens"]
        ?? root?["screens"]
      return stack?.array?.last?.string ?? ""
    }

    private static func answer(
      _ id: String, _ prompt: JSON, _ app: AppDescription, _ random: inout SplitMix64
    ) -> JSON {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return ["prompt": .string(id), "dismissed": true]
      case 1: return ["prompt": .string(id), "error": ["message": "no"]]
      default:
        let buttons = prompt["params"]?["buttons"]?.array?.compactMap { $0["id"] } ?? []
        let value =
          if let button = buttons.randomElement(using: &random) {
            ["button": button, "fields": [:]] as JSON
          } else { app.answer(to: prompt["kind"]?.string ?? "", &random) }
        return ["prompt": .string(id), "value": value]
      }
    }
  }
}
