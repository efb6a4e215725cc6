import OffstageTesting
import Testing

@testable import Offstage

/// Mistakes that the compiler does not find, and the messages that they get.
@Suite @CoreActor struct MistakeTests {
  // MARK: Lists

  private struct Renamed: Identifiable, Codable, Equatable, Sendable { var id: Int }

  @Test func rowThatChangesItsIDNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let rows = Rows<Renamed>()
        rows.append(Renamed(id: 1))
        rows.update(1) { $0.id = 2 }
      }.value
    }
    check(result, "the id of a row cannot change: 1 became 2")
  }

  @Test func derivedRowWithAnotherIDNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Self.rename(isLater: false)
    }
    check(result, "Rows.derive must keep the id of a row: 1 became 2")
  }

  @Test func editedDerivedRowWithAnotherIDNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Self.rename(isLater: true)
    }
    check(result, "Rows.derive must keep the id of a row: 1 became 2")
  }

  @CoreActor private static func rename(isLater: Bool) {
    let origin = Rows<Renamed>()
    if !isLater { origin.append(Renamed(id: 1)) }
    let core = TestCore()
    final class List: Screen {
      static let kind = "list"
      struct Input: Ports {}
      struct Output: Ports { let rows = Rows<Renamed>() }
      let input = Input(), output = Output(), effects = Effects()
      init(_ origin: Rows<Renamed>) {
        output.rows.derive(
          from: origin, sortedBy: { $0.id > $1.id }, map: { Renamed(id: $0.id + 1) })
      }
    }
    let list = core.show { List(origin) }
    origin.append(Renamed(id: 1))
    _ = list.output.rows.values
  }

  @Test func editOfADerivedListStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let origin = Rows<Probe.Item>()
        let list = TestCore().show { Probe { $0.output.items.derive(from: origin) { $0 } } }
        origin.append(Probe.Item(id: "a"))
        list.output.items.append(Probe.Item(id: "b"))
      }.value
    }
    check(
      result,
      #"the list "items" of screen 1 is derived here, and cannot be edited elsewhere"#
    )
  }

  @Test func repeatedRowIDNamesTheCaller() {
    let rows = ["a", "b", "a"].map { Probe.Item(id: $0) }
    for set in [
      { $0.reset(to: rows) }, { $0.derive { rows } },
    ] as [@CoreActor (Rows<Probe.Item>) -> Void] {
      let core = TestCore()
      let list = core.show { Probe { set($0.output.items) } }
      #expect(core.faults.count == 1)
      #expect(
        core.faults.first?.hasPrefix(
          "The id a repeats in the list that is set at OffstageTests/MistakeTests.swift:") == true)
      #expect(list.output.items.values.map(\.id) == ["a", "b"])
    }
  }

  // MARK: Derived outputs

  @Test func cycleOfDerivedOutputsStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let core = TestCore()
        _ = core.show {
          Probe { screen in
            screen.output.number.derive { screen.output.text.value.count }
            screen.output.text.derive { "\(screen.output.text.value)\(screen.output.number.value)" }
          }
        }
        _ = core.document
        await core.run()
      }.value
    }
    check(result, "this output depends on itself, and changes again and again")
  }

  @Test func derivedOutputThatChangesAPortStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = TestCore().show {
          Probe { screen in
            screen.output.text.derive {
              screen.output.number.value += 1
              return "\(screen.output.number.value)"
            }
            screen.output.number.value = 3
          }
        }
      }.value
    }
    check(result, "this closure computes an output, and must not change another one")
  }

  @Test func derivedOutputThatChangesAPortThatItHasNotReadStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = TestCore().show {
          Probe { screen in
            screen.output.number.derive {
              screen.output.items.append(Probe.Item(id: "a"))
              return 1
            }
          }
        }
      }.value
    }
    check(result, "this closure computes an output, and must not change another one")
  }

  // MARK: Changes

  @Test func observerThatChangesItsFieldStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = TestCore().show {
          Probe { _ in
            let field = Field("")
            field.observe { field.value = $0 == "a" ? "b" : "a" }
          }
        }
      }.value
    }
    check(result, "this observer changes the value that it observes, again and again", nil)
  }

  @Test func outputsThatChangeEachOtherStopTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = TestCore().show {
          Probe { screen in
            screen.output.text.observe { _ in screen.output.number.value += 1 }
            screen.output.number.observe { screen.output.text.value = "\($0)" }
          }
        }
      }.value
    }
    check(result, "this observer changes the value that it observes, again and again", nil)
  }

  /// A chain of changes that ends is fine.
  @Test func observerMayChangeWhatItObserves() {
    let screen = TestCore().show {
      Probe { screen in
        screen.output.number.observe { if $0 < 1_000 { screen.output.number.value = $0 + 1 } }
      }
    }
    #expect(screen.output.number.value == 1_000)
  }

  @Test func optimisticChangesOfSeveralTypesNameTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = TestCore().show {
          Probe { screen in
            let like = screen.effects.task()
            like.optimistic(from: 1, to: 2) { _ in
            } save: { _ in
            }
            like.optimistic(from: "a", to: "b") { _ in
            } save: { _ in
            }
          }
        }
      }.value
    }
    check(result, "have several types: use a task for each")
  }

  private struct Loose: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    var title: String
    static func == (a: Self, b: Self) -> Bool { a.id == b.id }
  }

  @Test func rowWhoseComparisonHidesAChangeIsReported() {
    final class List: Screen {
      static let kind = "list"
      struct Input: Ports {}
      struct Output: Ports { let rows = Rows<Loose>() }
      let input = Input(), output = Output(), effects = Effects()
    }
    let core = TestCore()
    let rows = core.show { List() }.output.rows
    rows.append(Loose(id: 1, title: "a"))
    rows.update(1) { $0.title = "a" }
    #expect(core.faults == [])
    rows.update(1) { $0.title = "b" }
    #expect(core.faults.count == 1)
    #expect(
      core.faults.first?.hasSuffix(
        #"The row 1 of "rows" of screen 1 has changed, but == of Loose calls it equal, so it is not "#
          + "sent. Compare all members.") == true, "\(core.faults)")
  }

  @Test func derivedOutputCannotBeSet() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let screen = TestCore().show {
          Probe { screen in screen.output.text.derive { "\(screen.input.number.value)" } }
        }
        screen.output.text.value = "77"
      }.value
    }
    check(result, #"the output "text" of screen 1 is derived here, and cannot be set elsewhere"#)
  }

  @Test func outputThatIsDerivedTwiceStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = TestCore().show {
          Probe { screen in
            let hidden = Out("")
            hidden.derive { "a" }
            hidden.derive { "b" }
          }
        }
      }.value
    }
    check(result, "the output that is not a port is already derived")
  }

  @Test func listThatIsDerivedTwiceStopsTheProgram() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let origin = Rows<Probe.Item>()
        _ = TestCore().show {
          Probe { screen in
            screen.output.items.derive(from: origin) { $0 }
            screen.output.items.derive(from: Rows<Probe.Item>()) { $0 }
          }
        }
      }.value
    }
    check(result, "the list that is not a port is already derived")
  }

  @Test func pushBeforeTheScreenIsShownIsReported() {
    let core = Probe.core()
    _ = core.show { Probe { $0.router.push(Probe.self) } }
    #expect(core.faults.count == 1)
    #expect(core.faults.first?.contains("is on no stack yet") == true, "\(core.faults)")
  }

  // MARK: Composition

  @Test func scopeThatIsAnyScreenNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = App(
          root: .stack(Route(Probe.self)), scope: ScreenFactory(Probe.self) { _ in Probe() },
          screens: [])
      }.value
    }
    check(result, "the type of the scope does not conform to Scope")
  }

  @Test func linkWithoutAFactoryNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        _ = TestCore(
          App(
            root: .tabs([]), links: [Link("app://probe", to: Probe.self) { _ in [] }], screens: []))
      }.value
    }
    check(result, #"the link app://probe leads to "probe", which has no factory"#)
  }

  @Test func linkWhoseNameIsNoMemberNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Link("app://probe/:id", to: Probe.self) }
    check(
      result,
      "the link app://probe/:id has :id, but the argument of Probe has no such member that fits in a "
        + "URL. Use the name of a member, or pass a closure.")
  }

  @Test func linkWithoutAMemberNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Link("app://number", to: AddressTests.Page<AddressTests.Article>.self) }
    check(
      result,
      "the link app://number lacks :feed, which the argument of Page<Article> requires. Add it, or pass a "
        + "closure.")
  }

  @Test func linkWithAClosureForANestedMemberNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Link("app://chat/:person", to: AddressTests.Page<AddressTests.Chat>.self) { _ in nil } }
    check(
      result,
      "the link app://chat/:person has :person, but the argument of Page<Chat> has no such member that fits "
        + "in a URL. Use the name of a member, or pass url: with the values of the names.")
  }

  @Test func linkToARootWithANameNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Link("app://home/:id", tab: "home") }
    check(
      result,
      "the link app://home/:id has :id, but leads to the root of a tab. Pass the screen that it leads "
        + "to.")
  }

  @Test func linkWithoutTheNameNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      await Task { @CoreActor in
        let core = TestCore(
          App(
            root: .stack(Route(Probe.self)),
            links: [Link("app://:kind/:id") { match in match["ID"].isEmpty ? nil : [] }],
            screens: [ScreenFactory(Probe.self) { _ in Probe() }]))
        try? core.start()
        try? core.open("app://book/7")
      }.value
    }
    check(result, "the link app://:kind/:id has no :ID; it has :id, :kind")
  }

  // MARK: Types

  @Test func scalarInAUnionNamesTheCaller() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      enum Shape { case size(Int) }
      _ = Alternative<Shape>("size", Shape.size) { if case .size(let it) = $0 { it } else { nil } }
    }
    check(
      result,
      #"the case "size" of Shape holds Int, which is not written as an object: wrap it in a struct"#
    )
  }

  private func check(
    _ result: ExitTest.Result?, _ message: String,
    _ file: String? = "OffstageTests/MistakeTests.swift:",
    _ location: SourceLocation = #_sourceLocation
  ) {
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    if let file { #expect(error.contains(file), "\(error)", sourceLocation: location) }
    #expect(error.contains(message), "\(error)", sourceLocation: location)
  }
}
