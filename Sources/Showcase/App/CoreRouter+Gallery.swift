internal import Offstage

/// The router's own surface, for the gallery.
extension CoreRouter {
  func showRoom(
    _ label: String, _ segue: Segue, onEnd: @escaping @CoreActor (Outcome<String>) -> Void
  ) {
    let room = Gallery.Argument(label: label)
    let shown =
      switch segue {
      case .push: router.push(Gallery.self, room)
      case .present(let style): router.present(Gallery.self, room, as: style)
      case .modal(let background):
        router.showModal(
          Gallery.self, room, background: background,
          transition: Transition(.moveIn, .fromBottom, duration: 0.3))
      }
    shown.onEnd { onEnd($0) }
  }

  func showUniqueRoom(_ label: String) {
    router.pushUnique(Gallery.self, .init(label: label), transition: Transition(.fade, .fromRight))
  }

  func enqueueRoom(_ label: String) {
    router.enqueue(Route(Gallery.self, .init(label: label)), .present(.sheet))
  }

  func showNextRoom() { router.showNext() }

  /// One root instead of whatever there was: a gallery alone can always be made.
  func swapRoot(_ label: String) {
    try? router.setRoot(.stack(Route(Gallery.self, .init(label: label))))
  }

  func closeRoom() { router.close() }
  func closeRooms(count: Int) { router.close(count: count) }
  func closeStack() { router.closeStack() }
  func closeModals() { router.closeModals() }
  func closeAll() { router.closeAll() }
  func closeAbove() { router.popToSelf() }
}
