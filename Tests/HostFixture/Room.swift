import Offstage

/// A screen of an app before an update: it opens more rooms, each with a label.
final class Room: Screen {
  static let kind = "room"

  struct Argument: Codable, Sendable {
    var label: String?
  }

  struct Input: Ports {
    let push = In<String>()
    let note = In<String>()
  }

  struct Output: Ports {
    let label = Out("")
    let note = Out("", .kept)
    /// The number of rooms that were opened from here.
    let opened = Out(0, .kept)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()
  private let router = Router()

  init(_ argument: Argument) {
    output.label.value = argument.label ?? "lobby"
    output.note.bind(input.note)
    input.push.observe { [router, output] in
      output.opened.value += 1
      router.push(Room.self, Argument(label: $0))
    }
  }
}

/// The same screen after the update: `note` has become `remark`, `opened` is a text, and `floor` is new.
final class UpdatedRoom: Screen {
  static let kind = "room"

  struct Argument: Codable, Sendable {
    var label: String?
    var floor: Int?
  }

  struct Input: Ports {
    let push = In<String>()
    let remark = In<String>()
  }

  struct Output: Ports {
    let label = Out("")
    let remark = Out("", .kept)
    let opened = Out("", .kept)
    let floor = Out(1)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()
  private let router = Router()

  init(_ argument: Argument) {
    output.label.value = argument.label ?? "lobby"
    output.floor.value = argument.floor ?? 1
    output.remark.bind(input.remark)
    input.push.observe { [router, output] in
      output.opened.value = $0
      router.push(UpdatedRoom.self, Argument(label: $0, floor: output.floor.value + 1))
    }
  }
}
