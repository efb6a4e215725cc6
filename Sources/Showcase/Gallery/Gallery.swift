public import Offstage

/// The router's whole surface to try out, one input for each way: a tool for who writes a front end.
///
/// Every room of it can show further rooms, and notes how they end.
public final class Gallery: Screen {
  public static let kind = "gallery"

  public struct Argument: Codable, Sendable {
    /// What the room is called.
    public var label: String?

    public init(label: String? = nil) { self.label = label }
  }

  public struct Input: Ports {
    public let push = In<String>()
    public let unique = In<String>()
    public let sheet = In<String>()
    public let cover = In<String>()
    public let modal = In<String>()
    public let stubbornModal = In<String>()
    public let enqueue = In<String>()
    public let showNext = In<Trigger>()
    public let swapRoot = In<String>()

    public let finish = In<String>()
    public let close = In<Trigger>()
    public let closeCount = In<Int>()
    public let closeStack = In<Trigger>()
    public let closeModals = In<Trigger>()
    public let closeAll = In<Trigger>()
    public let closeAbove = In<Trigger>()

    public let alert = In<String>()
    public let confirm = In<String>()
    /// Whether leaving must be confirmed, as where something is not saved.
    public let guarded = In<Bool>()
    public init() {}
  }

  public struct Output: Ports {
    public let label = Out("")
    /// How the rooms that were shown from here ended, in order.
    public let ended = Out<[String]>([])
    /// What the last dialog was answered.
    public let answer = Out<Dialog.Answer?>(nil)
    public init() {}
  }

  public typealias Result = String

  public let input = Input()
  public let output = Output()
  public let effects = Effects()

  private let router: any GalleryRouter
  private let prompts = Prompts()
  private var isGuarded = false

  init(label: String, router: any GalleryRouter) {
    self.router = router
    output.label.value = label
    bindWaysIn()
    bindWaysOut()
    bindDialogs()
  }

  private func bindWaysIn() {
    show(input.push, .push)
    show(input.sheet, .present(.sheet([.medium, .large])))
    show(input.cover, .present(.fullScreenCover))
    show(input.modal, .modal(ModalBackground()))
    show(input.stubbornModal, .modal(ModalBackground(dismissesOnTap: false)))
    input.unique.observe { [self] in router.showUniqueRoom($0) }
    input.enqueue.observe { [self] in router.enqueueRoom($0) }
    input.showNext.observe { [self] in router.showNextRoom() }
    input.swapRoot.observe { [self] in router.swapRoot($0) }
  }

  private func show(_ label: In<String>, _ segue: Segue) {
    label.observe { [self] label in
      router.showRoom(label, segue) { [self] outcome in
        switch outcome {
        case .finished(let word): output.ended.value.append("\(label) finished: \(word)")
        case .dismissed: output.ended.value.append("\(label) dismissed")
        }
      }
    }
  }

  private func bindWaysOut() {
    input.finish.observe { [self] in finish($0) }
    input.close.observe { [self] in router.closeRoom() }
    input.closeCount.observe { [self] in router.closeRooms(count: $0) }
    input.closeStack.observe { [self] in router.closeStack() }
    input.closeModals.observe { [self] in router.closeModals() }
    input.closeAll.observe { [self] in router.closeAll() }
    input.closeAbove.observe { [self] in router.closeAbove() }
    input.guarded.observe { [self] in isGuarded = $0 }
  }

  private func bindDialogs() {
    input.alert.observe { [self] in ask(.alert(Dialog($0))) }
    input.confirm.observe { [self] title in
      ask(
        .confirmationDialog(
          Dialog(
            title, "What should it be called?",
            buttons: [.init("save", "Save"), .init("cancel", "Cancel", role: .cancel)],
            fields: [.init("name", placeholder: "Name")])))
    }
  }

  private func ask(_ prompt: Prompt<Dialog.Answer>) {
    effects.run("ask", .queue) { [self] in
      output.answer.value = try await prompts.ask(prompt)
    } catch: { [self] _ in
      output.answer.value = nil
    }
  }

  /// A guarded room asks before it is left, and then goes by itself.
  public func mayLeave() -> Bool {
    guard isGuarded else { return true }
    effects.run("leave", .keepFirst) { [self] in
      let question = Dialog(
        "Leave \(output.label.value)?",
        buttons: [
          .init("leave", "Leave", role: .destructive), .init("stay", "Stay", role: .cancel),
        ])
      if try await prompts.ask(.alert(question)).button == "leave" { router.closeRoom() }
    } catch: { _ in
      // Closed without an answer: one stays.
    }
    return false
  }
}
