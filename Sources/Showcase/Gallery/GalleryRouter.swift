internal import Offstage

/// Every way that the router knows.
@CoreActor
protocol GalleryRouter {
  func showRoom(
    _ label: String, _ segue: Segue, onEnd: @escaping @CoreActor (Outcome<String>) -> Void)
  func showUniqueRoom(_ label: String)
  func enqueueRoom(_ label: String)
  func showNextRoom()
  func swapRoot(_ label: String)
  func closeRoom()
  func closeRooms(count: Int)
  func closeStack()
  func closeModals()
  func closeAll()
  func closeAbove()
}

extension CoreRouter: GalleryRouter {}
