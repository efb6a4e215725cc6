import Offstage

/// Roles of outputs and events that say how the screen is doing. No name gives them away.
final class Work: Screen {
  static let kind = "work"

  struct Input: Ports {
    let start = In<Trigger>()
    let end = In<Trigger>()
    let fail = In<Trigger>()
    let failForGood = In<Trigger>()
    let again = In<Trigger>()
    let age = In<Trigger>()
    let lookAnew = In<Trigger>(.refresh)
    let announce = In<Trigger>()
    let takeBack = In<Trigger>()
    let shout = In<Trigger>()
    let drop = In<Trigger>()
    let pickUp = In<Trigger>()
    let stumble = In<Trigger>()
    let count = In<Trigger>()
    let addRoom = In<Trigger>()
    let tearDown = In<Trigger>(.destructive)
  }

  struct Output: Ports {
    let heading = Out("Moving house", .title)
    let line = Out("From the old one to the new one", .subtitle)
    let isMoving = Out(false, .busy(of: \Output.rooms))
    let problem = Out<Problem?>(nil, .failure(message: \Problem.sentence, retry: \Input.again))
    let asOf = Out<Int?>(nil, .stale(of: \Output.rooms))
    let bar = Out<String?>(nil, .notice(actions: \Input.takeBack))
    let share = Out(0.25, .progress)
    let boxes = Out(Boxes(), .progress(unit: "boxes"))
    let rooms = Rows<Room>()
    let nothing = Out<String?>(
      "No room is ready yet", .empty(of: \Output.rooms, actions: \Input.addRoom))
    let canGrow = Out(true, .more(of: \Output.rooms))
    let number = Out(471_147, .hidden)
    /// Facts that only look like work and an empty list.
    let isMissing = Out(false)
    let isPlaying = Out(true)
    let shouted = Event<String>(.notice)
    /// For scripts: neither a notice nor a failure.
    let counted = Event<String>()
    let dropped = Event<String>(.notice(actions: \Input.pickUp))
    let collapsed = Event<Problem>(.failure(message: \Problem.sentence, retry: \Input.again))
  }

  struct Problem: Codable, Equatable, Sendable {
    let code: Int
    let sentence: String
    let isRetryable: Bool
  }

  struct Boxes: Codable, Equatable, Sendable {
    var done = 2
    var total = 5
  }

  struct Room: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let name: String
    /// Its members say that it is progress.
    var packed = Boxes(done: 3, total: 7)
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    output.nothing.derive { [output] in output.rooms.isEmpty ? "No room is ready yet" : nil }
    input.start.observe { [output] in output.isMoving.value = true }
    input.end.observe { [output] in output.isMoving.value = false }
    input.fail.observe { [self] in fail("The truck broke down.", isRetryable: true) }
    input.failForGood.observe { [self] in fail("The house is gone.", isRetryable: false) }
    input.again.observe { [output] in output.problem.value = nil }
    input.age.observe { [output] in output.asOf.value = 1_767_225_600 }
    input.lookAnew.observe { [output] in output.asOf.value = nil }
    input.announce.observe { [output] in output.bar.value = "A box was thrown away" }
    input.takeBack.observe { [output] in output.bar.value = nil }
    input.shout.observe { [output] in output.shouted.send("Mind the step!") }
    input.drop.observe { [output] in output.dropped.send("A lamp fell down") }
    input.pickUp.observe { [output] in output.shouted.send("The lamp is whole.") }
    input.stumble.observe { [output] in
      output.collapsed.send(
        Problem(code: 4_005, sentence: "The mover stumbled.", isRetryable: true))
    }
    input.count.observe { [output] in output.counted.send("There are many boxes") }
    input.addRoom.observe { [output] in
      let number = output.rooms.count + 1
      output.rooms.append(Room(id: number, name: "Room \(number)"))
    }
    input.tearDown.observe { [output] in output.rooms.removeAll() }
  }

  private func fail(_ sentence: String, isRetryable: Bool) {
    let problem = Problem(code: 4_004, sentence: sentence, isRetryable: isRetryable)
    output.problem.value = problem
    output.collapsed.send(problem)
  }
}
