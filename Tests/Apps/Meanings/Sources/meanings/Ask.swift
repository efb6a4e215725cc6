import Offstage

/// Every standard prompt, and prompts of the app's own for each type of answer.
final class Ask: Screen {
  static let kind = "ask"

  struct Input: Ports {
    let copyWord = In<Trigger>()
    let tellFriends = In<Trigger>()
    let openMap = In<Trigger>()
    /// Takes an address, for tests.
    let openAddress = In<String>(.hidden)
    let addPhoto = In<Trigger>()
    let savePlan = In<Trigger>()
    let pickDay = In<Trigger>()
    let locate = In<Trigger>()
    let permit = In<Trigger>()
    let remind = In<Trigger>()
    let signIn = In<Trigger>()
    /// Takes the address of a server that signs in, for tests.
    let signInAt = In<String>(.hidden)
    /// The same, with an address of the front end's own in the place of the callback.
    let signInFrom = In<String>(.hidden)
    let lend = In<Trigger>()
    let pickRoom = In<Trigger>()
    let countBoxes = In<Trigger>()
    let nameCat = In<Trigger>()
    let listGuests = In<Trigger>()
    let ring = In<Trigger>()
    let describeHome = In<Trigger>()
    let rename = In<Trigger>()
  }

  struct Output: Ports {
    let reply = Out<String?>(nil)
  }

  enum Room: String, Codable, CaseIterable, Sendable { case kitchen, attic }

  struct Home: Codable, Equatable, Sendable {
    let street: String
    let floors: Int
    let hasGarden: Bool
    let room: Room
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    input.copyWord.observe { [self] in ask(.copy("Rosebud")) { _ in "copied" } }
    input.tellFriends.observe { [self] in ask(.share("We have moved")) { _ in "shared" } }
    input.openMap.observe { [self] in ask(.openURL("https://example.com/map")) { _ in "opened" } }
    input.openAddress.observe { [self] url in ask(.openURL(url)) { _ in "opened" } }
    input.addPhoto.observe { [self] in
      ask(.pickFile(types: ["image/png"], maxBytes: 1_000)) { "\($0.name) \($0.bytes.count)" }
    }
    input.savePlan.observe { [self] in
      ask(.saveFile("../plan.svg", mimeType: "image/svg+xml", from: "resource:plan/0.svg")) { _ in
        "saved"
      }
    }
    input.pickDay.observe { [self] in
      ask(.pickDate(selected: "2026-03-01", from: "2026-02-01")) { $0 }
    }
    input.locate.observe { [self] in ask(.currentLocation) { "\($0.lat) \($0.lng)" } }
    input.permit.observe { [self] in
      ask(.authorizeNotifications) { $0 ? "granted" : "denied" }
    }
    input.remind.observe { [self] in
      let reminder = ScheduledNotification(
        id: "1", title: "Moving", body: "Pack", at: 4_102_444_800)
      ask(.notificationStatus) { $0.map { $0 ? "granted" : "denied" } ?? "notDetermined" }
      ask(.scheduleNotifications([reminder])) { _ in "scheduled" }
    }
    input.signIn.observe { [self] in
      ask(.signIn(at: "https://example.com/authorize", callback: "meanings://done")) { $0 }
    }
    input.signInAt.observe { [self] server in
      let callback = "\(server)/done"
      let page = "\(server)/authorize?state=42&redirect_uri=\(callback)"
      ask(.signIn(at: page, callback: callback)) { $0 }
    }
    input.signInFrom.observe { [self] server in
      let page = "\(server)/authorize?state=42&redirect_uri={callback}"
      ask(.signIn(at: page, callback: "\(server)/done")) { "\($0) \($0.prefix { $0 != "?" })" }
    }
    input.lend.observe { [self] in ask(Prompt<Bool>("lend", Loan(book: "Dune"))) { "\($0)" } }
    input.pickRoom.observe { [self] in ask(Prompt<Room>("pickRoom")) { $0.rawValue } }
    input.countBoxes.observe { [self] in ask(Prompt<Int>("countBoxes")) { "\($0)" } }
    input.nameCat.observe { [self] in ask(Prompt<String>("nameCat")) { $0 } }
    input.listGuests.observe { [self] in
      ask(Prompt<[String]>("listGuests")) { $0.joined(separator: "+") }
    }
    input.ring.observe { [self] in ask(Prompt<Empty>("ring")) { _ in "rung" } }
    input.rename.observe { [self] in
      ask(.alert(Self.renaming)) { "\($0.button) \($0.fields?["name"] ?? "")" }
    }
    input.describeHome.observe { [self] in
      ask(Prompt<Home>("describeHome")) {
        "\($0.street) \($0.floors) \($0.hasGarden) \($0.room.rawValue)"
      }
    }
  }

  private static let renaming = Dialog(
    "Rename the house",
    buttons: [.init("ok", "Rename"), .init("no", "Keep it", role: .cancel)],
    fields: [.init("name", placeholder: "The new name")])

  private func ask<Answer>(_ prompt: Prompt<Answer>, _ reply: @escaping (Answer) -> String) {
    effects.run { [self] in
      output.reply.value = reply(try await effects.ask(prompt))
    } catch: { [output] error in
      output.reply.value = "no answer: \(error)"
    }
  }
}

struct Loan: Codable, Sendable {
  let book: String
}

extension [PromptDescription] {
  /// All prompts of the app.
  static let all: Self = [
    .share, .copy, .openURL, .pickFile, .saveFile, .pickDate, .currentLocation,
    .authorizeNotifications, .notificationStatus, .scheduleNotifications, .signIn,
    PromptDescription("lend", params: Loan.self, answer: Bool.self),
    PromptDescription("pickRoom", answer: Ask.Room.self),
    PromptDescription("countBoxes", answer: Int.self),
    PromptDescription("nameCat", answer: String.self),
    PromptDescription("listGuests", answer: [String].self),
    PromptDescription("ring", answer: Empty.self),
    PromptDescription("describeHome", answer: Ask.Home.self),
  ]
}
