import Foundation
import Offstage

/// Roles, weights, and purposes of inputs.
final class Form: Screen {
  static let kind = "form"

  struct Input: Ports {
    let didAppear = In<Trigger>()
    let didDisappear = In<Trigger>()
    let nicknameText = Field("", .required, .length(...20), roles: .name)
    let emailText = Field("", .matches("^[^@ ]+@[^@ ]+$", "Enter an email address."))
    let urlText = Field("")
    let phoneText = Field("")
    let noteText = Field("")
    let passwordText = Field("")
    let birthday = Field("2000-01-01", roles: .date)
    let alarm = Field("07:00", roles: .time)
    let due = Field(Date(timeIntervalSince1970: 1_767_225_600))
    let sizePicked = Field(Size.small)
    let colorPicked = In<Color>()
    let phoneMaker = Field("iPhone")
    let newsletter = Field<Bool?>(nil)
    let volume = Field(0.5, .range(0...1, step: 0.25))
    let guests = Field<Int?>(2, .range(0...12, step: 2))
    let allergies = Field(["nuts"])
    let isGift = Field(false)
    let wishText = Field("", roles: .visible(by: \Output.isGiftShown))
    let seatsChanged = In<Seats>()
    let planDropped = In<PickedFile>(.file(types: ["text/*"], maxBytes: 20))
    let go = In<Trigger>(.main, .enabled(by: \Output.mayGo))
    let wipe = In<Trigger>(.destructive)
    let back = In<Trigger>(.cancel)
    let seed = In<Int>(.hidden)
    let replay = In<Trigger>(.hidden)
  }

  struct Output: Ports {
    let mayGo = Out(true)
    let isGiftShown = Out(false)
    let sizes = Out([Size.large])
    let color = Out(Color.red)
    let seats = Out(Seats(count: 2))
    let makers = Out(["iPhone", "eBay", "DE-BY"], .options(for: \Input.phoneMaker))
    let chosen = Out(Size.small, .selection(of: \Input.sizePicked))
    let outcome = Out<String?>(nil)
    let wording = Out("Erase everything", .label(for: \Input.wipe))
  }

  enum Size: String, Codable, CaseIterable, Sendable { case small, large }
  enum Color: String, Codable, CaseIterable, Sendable { case red, blue }

  struct Seats: Codable, Equatable, Sendable {
    var count: Int

    init(count: Int) { self.count = count }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      count = try container.decode(Int.self, forKey: .count, in: 1...8)
    }
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    output.isGiftShown.derive { [input] in input.isGift.value }
    output.chosen.derive { [input] in input.sizePicked.value }
    input.nicknameText.edits.observe { [output] in output.mayGo.value = $0.count <= 20 }
    input.colorPicked.observe { [output] in output.color.value = $0 }
    input.seatsChanged.observe { [output] in output.seats.value = $0 }
    input.go.observe { [self] in
      guard input.nicknameText.validate(), input.emailText.validate() else { return }
      output.outcome.value = "Ordered for \(input.nicknameText.value)"
      output.mayGo.value = false
      output.wording.value = "Erase the order"
    }
    input.wipe.observe { [input, output] in
      input.nicknameText.reset(to: "")
      output.outcome.value = nil
      output.mayGo.value = true
    }
    input.planDropped.observe { [output] file in
      output.outcome.value = "\(file.name): \(String(decoding: file.bytes, as: UTF8.self))"
    }
    input.seed.observe { [output] in output.outcome.value = "Planted \($0)" }
    input.replay.observe { [output] in output.outcome.value = "Played again" }
    input.back.observe { [output] in output.outcome.value = "Nothing ordered" }
  }
}
