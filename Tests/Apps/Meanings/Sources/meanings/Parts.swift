import Offstage

/// The roles within parts: one that stands alone, and others that are rows of a list.
final class Parts: Screen {
  static let kind = "parts"

  struct Input: Ports {
    let peek = In<Trigger>()
    let unfold = In<Trigger>()
  }

  struct Output: Ports {
    let van = Child<Van>()
    let floors = Rows<Floor>(.sections(of: \Output.desks))
    let desks = Children<Desk>()
  }

  struct Floor: Identifiable, Codable, Equatable, Sendable {
    let id: String
    let title: String
  }

  let input = Input(), output = Output(), effects = Effects()
  private let router = Router()

  init() {
    let article = Article.Argument(feed: 1, article: "Moving tips")
    input.peek.observe { [router] in router.present(Article.self, article, as: .modal) }
    input.unfold.observe { [router] in router.present(Article.self, article) }
    output.van.show { Van() }
    output.floors.reset(to: [
      Floor(id: "f1", title: "Ground floor"), Floor(id: "f2", title: "Upper floor"),
    ])
    for number in 1...3 { output.desks.append { Desk(number) } }
  }
}

/// A part that says all that a screen can say about itself, with a form and a list.
final class Van: Part {
  struct Input: Ports {
    let start = In<Trigger>()
    let end = In<Trigger>()
    let fail = In<Trigger>()
    let again = In<Trigger>()
    let age = In<Trigger>()
    let announce = In<Trigger>()
    let takeBack = In<Trigger>()
    let shout = In<Trigger>()
    let load = In<Trigger>()
    let unload = In<Trigger>(.destructive)
    let plateText = Field("", .required, .length(...8))
    let isLocked = Field(false)
    let fuelPicked = Field(Fuel.diesel)
    let ignitionText = Field("", roles: .visible(by: \Output.isIgnitionShown))
    let drive = In<Trigger>(.enabled(by: \Output.mayDrive))
    let parcelTapped = In<Int>()
    let pinTapped = In<Int>(.row(of: \Output.parcels), .shows(\Parcel.isPinned))
    let parcelRemoved = In<Int>()
    let parcelMoved = In<Lists.Move>()
    let seed = In<Int>(.hidden)
  }

  struct Output: Ports {
    let heading = Out("The red van", .title)
    let line = Out("Parked in the yard", .subtitle)
    let isMoving = Out(false, .busy)
    let problem = Out<Work.Problem?>(
      nil, .failure(message: \Work.Problem.sentence, retry: \Input.again))
    let asOf = Out<Int?>(nil, .stale)
    let bar = Out<String?>(nil, .notice(actions: \Input.takeBack))
    let space = Out(Work.Boxes(done: 1, total: 4), .progress(unit: "pallets"))
    let toll = Out(12_500, .money("KRW"))
    let story = Out("It is **fast**.", .markdown)
    let shelves = Rows<Shelf>(.sections(of: \Output.parcels))
    let parcels = Rows<Parcel>()
    let nothing = Out(false, .empty(of: \Output.parcels, actions: \Input.load))
    let stops = Rows<Stop>(.table)
    let mayDrive = Out(true)
    let isIgnitionShown = Out(false)
    let wording = Out("Unload everything", .label(for: \Input.unload))
    let number = Out(815_815, .hidden)
    let shouted = Event<String>(.notice)
  }

  enum Fuel: String, Codable, CaseIterable, Sendable { case diesel, electric }

  struct Shelf: Identifiable, Codable, Equatable, Sendable {
    let id: String
    let title: String
  }

  struct Parcel: Identifiable, Codable, Equatable, Sendable, SchemaAnnotated {
    let id: Int
    let a: String
    let b: String
    let c: Int
    let g: String
    var isNew = true
    var isPinned = false

    static var meanings: [PartialKeyPath<Self>: Meaning] {
      [
        \.b: .title, \.a: .subtitle, \.c: .badge, \.g: .section, \.isNew: .state(.unread),
        \.isPinned: .state(.favorite),
      ]
    }
  }

  struct Stop: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let town: String
    let minutes: Int
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    output.shelves.reset(to: [Shelf(id: "s1", title: "Top"), Shelf(id: "s2", title: "Bottom")])
    output.stops.reset(to: [Stop(id: 1, town: "Suwon", minutes: 45)])
    load()
    output.nothing.derive { [output] in output.parcels.isEmpty }
    output.isIgnitionShown.derive { [input] in input.isLocked.value }
    output.mayDrive.derive { [input] in input.plateText.value.count <= 8 }
    input.start.observe { [output] in output.isMoving.value = true }
    input.end.observe { [output] in output.isMoving.value = false }
    input.fail.observe { [output] in
      output.problem.value = Work.Problem(
        code: 4_006, sentence: "The van has a flat tire.", isRetryable: true)
    }
    input.again.observe { [output] in output.problem.value = nil }
    input.age.observe { [output] in output.asOf.value = 1_767_225_600 }
    input.announce.observe { [output] in output.bar.value = "A parcel was put back" }
    input.takeBack.observe { [output] in output.bar.value = nil }
    input.shout.observe { [output] in output.shouted.send("Honk!") }
    input.drive.observe { [output] in output.line.value = "On the road" }
    input.load.observe { [self] in load() }
    input.unload.observe { [output] in
      output.parcels.removeAll()
      output.wording.value = "Sweep"
    }
    input.parcelTapped.observe { [output] in output.parcels.update($0) { $0.isNew = false } }
    input.pinTapped.observe { [output] in output.parcels.update($0) { $0.isPinned.toggle() } }
    input.parcelRemoved.observe { [output] in output.parcels.remove($0) }
    input.parcelMoved.observe { [output] move in
      let others = output.parcels.values.map(\.id).filter { $0 != move.id }
      let place = move.before.flatMap { others.firstIndex(of: $0) } ?? others.count
      output.parcels.move(move.id, to: place)
    }
  }

  private func load() {
    output.parcels.reset(
      to: (1...3).map { number in
        Parcel(
          id: number, a: "For house \(number)", b: "Parcel \(number)", c: 20 + number,
          g: number == 1 ? "s1" : "s2")
      })
  }
}

/// A part that is a row, with every role of a row.
final class Desk: Part, Identifiable {
  struct Input: Ports {
    let use = In<Trigger>()
    let sell = In<Trigger>(.destructive)
    let isLit = Field(false)
    let books = In<Trigger>()
  }

  struct Output: Ports {
    let a = Out("", .subtitle)
    let b = Out("", .title)
    let c = Out("", .picture(.avatar))
    let d = Out("", .alt)
    let e = Out(0, .badge)
    let f = Out<Int?>(nil, [.money("KRW"), .accessory])
    let g = Out("", .section)
    let h = Out(0.0, .progress)
    let isNew = Out(true, .state(.unread))
    let isSold = Out(false, .state(.disabled))
    let note = Out<String?>(nil)
    let drawers = Rows<Drawer>()
    let z = Out("", .hidden)
  }

  struct Drawer: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let name: String
    var isDone = false
  }

  let input = Input(), output = Output(), effects = Effects()
  let id: Int

  init(_ id: Int) {
    self.id = id
    output.a.value = "Room \(id)"
    output.b.value = "Desk \(id)"
    output.c.value = "resource:desk/\(id).svg"
    output.d.value = "A photo of desk \(id)"
    output.e.value = 30 + id
    output.f.value = id == 2 ? nil : id * 7_000
    output.g.value = id == 1 ? "f1" : "f2"
    output.h.value = Double(id) / 4
    output.note.value = id == 1 ? "It wobbles" : nil
    output.z.value = "key-\(id)-77f0"
    output.drawers.reset(to: id == 3 ? [Drawer(id: 1, name: "Lower drawer", isDone: true)] : [])
    input.use.observe { [output] in output.isNew.value = false }
    input.sell.observe { [output] in output.isSold.value = true }
    input.books.observe { [output] in output.e.value += 1 }
  }
}
