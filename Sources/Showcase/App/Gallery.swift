import Offstage

/// Offers the router's methods as inputs, so that authors of front ends can try them. No other
/// screen uses the router directly.
///
/// Each gallery screen is a room, which can show more rooms and lists how they ended.
final class Gallery: TrackedScreen {
  enum Action: LoggableEvent {
    static let screen = "gallery"
    case created
  }

  struct Argument: Codable, Sendable {
    /// The room's name.
    var label: String?
  }

  struct Input: Ports {
    let push = In<String>()
    /// Pushes several rooms at once; the last is on top.
    let pushAll = In<[String]>()
    let unique = In<String>()
    let sheet = In<String>()
    let cover = In<String>()
    let modal = In<String>()
    let stubbornModal = In<String>()
    let enqueue = In<String>()
    let showNext = In<Trigger>()
    let swapRoot = In<String>()

    let finish = In<String>()
    let close = In<Trigger>()
    let closeCount = In<Int>()
    let closeStack = In<Trigger>()
    let closeModals = In<Trigger>()
    let closeAll = In<Trigger>()
    let closeAbove = In<Trigger>()

    let alert = In<String>()
    let confirm = In<String>()
    /// True if leaving must be confirmed, as with unsaved changes.
    let guarded = In<Bool>()
  }

  struct Output: Ports {
    let label = Out("")
    /// The newest outcomes of the rooms shown from this one, in the order in which they ended.
    let ended = Out<[String]>([], .kept)
    /// The answer to the last dialog.
    let answer = Out<Dialog.Answer?>(nil, .kept)
  }

  typealias Result = String

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let router = Router()
  private let log = Log()
  private let localizer = Localizer()
  private let isGuarded = Kept(false)
  private let roomEnded = In<Ended<Argument, String>>()
  private lazy var question = effects.task(.queue)
  private lazy var confirmation = effects.task(.keepFirst, name: "leave")

  init(label: String, tracker: any EventTracker) {
    tracker.trackEvent(Action.created)
    output.label.value = label
    for (input, style) in [
      (input.push, nil), (input.sheet, .sheet([.medium, .large])), (input.cover, .fullScreenCover),
      (input.modal, .modal), (input.stubbornModal, .modal(dismissesOnTap: false)),
    ] as [(In<String>, PresentationStyle?)] {
      input.observe { [self] in show($0, as: style) }
    }
    for (input, method) in [
      (input.showNext, { $0.showNext() }), (input.close, { $0.close() }),
      (input.closeStack, { $0.closeStack() }), (input.closeModals, { $0.closeModals() }),
      (input.closeAll, { $0.closeAll() }), (input.closeAbove, { $0.popToSelf() }),
    ] as [(In<Trigger>, (Router) -> Void)] {
      input.observe { [router] in method(router) }
    }
    input.pushAll.observe { [self] in for label in $0 { show(label) } }
    // Another kind of screen, on which rooms can be pushed by a modal.
    input.unique.observe { [router] in
      router.pushUnique(SignUp.self, .init(name: $0), transition: Transition(.fade, .fromRight))
    }
    input.enqueue.observe { [router] in
      router.enqueue(Route(Gallery.self, Argument(label: $0)), as: .sheet)
    }
    input.swapRoot.observe { [self] in
      // This room was created from the same dependencies, so only the number of screens can fail.
      do { try router.setRoot(.stack(Route(Gallery.self, Argument(label: $0)))) } catch {
        log.error("\(error)")
      }
    }
    roomEnded.observe { [self] in list($0) }
    input.finish.observe { [self] in finish($0) }
    input.closeCount.observe { [router] in router.close(count: $0) }
    input.guarded.observe { [self] in isGuarded.value = $0 }
    input.alert.observe { [self] in
      ask(.alert(Dialog($0, buttons: [.init("ok", localizer.words.ok)])))
    }
    input.confirm.observe { [self] title in
      let words = localizer.words
      ask(
        .confirmationDialog(
          Dialog(
            title, words.nameTheRoom,
            buttons: [.init("save", words.save), .init("cancel", words.cancel, role: .cancel)],
            fields: [.init("name", placeholder: words.name)])))
    }
  }

  /// Shows another room, whose end is listed.
  private func show(_ label: String, as style: PresentationStyle? = nil) {
    let room = Argument(label: label)
    guard let style else { return router.push(Gallery.self, room).deliver(to: roomEnded) }
    let transition: Transition? =
      if case .modal = style { Transition(.moveIn, .fromBottom, duration: 0.3) } else { nil }
    router.present(Gallery.self, room, as: style, transition: transition).deliver(to: roomEnded)
  }

  private func list(_ room: Ended<Argument, String>) {
    let label = room.argument.label ?? ""
    let ending =
      room.result.map { localizer.words.roomFinished(label, $0) }
      ?? localizer.words.roomDismissed(label)
    output.ended.value = Array((output.ended.value + [ending]).suffix(100))
  }

  private func ask(_ prompt: Prompt<Dialog.Answer>) {
    question.run { [self] in
      output.answer.value = try await effects.ask(prompt)
    } catch: { [output] _ in
      output.answer.value = nil
    }
  }

  /// Asks for confirmation before the user leaves a guarded room.
  func mayLeave() -> Bool {
    guard isGuarded.value else { return true }
    confirmation.run { [self] in
      let words = localizer.words
      let question = Dialog(
        words.leaveRoom(output.label.value),
        buttons: [
          .init("leave", words.leave, role: .destructive), .init("stay", words.stay, role: .cancel),
        ])
      let answer = try await effects.ask(.alert(question))
      if answer.button == "leave" { router.leave() } else { router.stay() }
    } catch: { [router] _ in
      // Dismissed without an answer.
      router.stay()
    }
    return false
  }
}
