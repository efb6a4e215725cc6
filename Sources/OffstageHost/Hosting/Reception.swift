internal import Offstage
internal import OffstageSystem

/// Takes the connections to a host, and has each admitted by its first line.
@CoreActor
final class Reception: Served {
  private let door: Door
  /// Admits a front end by its first line, or refuses it. Returns false if it has to wait.
  let admit: (Arrival, Greeting) -> Bool
  private var arrivals: [Arrival] = []

  /// The number of connections that may wait to be admitted.
  private static let most = 1024

  init(_ door: Door, admit: @escaping (Arrival, Greeting) -> Bool) {
    (self.door, self.admit) = (door, admit)
    CoreActor.executor.add(self)
  }

  /// Takes no more connections, and closes those that wait.
  func close() {
    CoreActor.executor.remove(self)
    for arrival in arrivals { arrival.close() }
  }

  func handleNext() -> Bool { false }

  func addWaits(to waits: inout Waits) {
    if hasRoom { door.addWait(to: &waits) { [self] in takeAll() } }
  }

  private func takeAll() {
    while hasRoom, let (socket, bytes) = door.next() {
      // Those that say nothing must not keep the others out.
      if arrivals.count == Self.most { arrivals.first(where: \.isSilent)?.close() }
      arrivals.append(Arrival(socket, bytes, self))
    }
  }

  func take(_ socket: Int32, _ bytes: [UInt8], returningBy greeting: Greeting) {
    arrivals.append(Arrival(socket, bytes, self, returningBy: greeting))
  }

  private var hasRoom: Bool {
    arrivals.count < Self.most || arrivals.contains(where: \.isSilent)
  }

  func left(_ arrival: Arrival) { arrivals.removeAll { $0 === arrival } }
}

/// Lets connections in. For lack of descriptors, it closes for a second.
@CoreActor
final class Door {
  /// Where connections come from.
  enum Source {
    case listener(ListeningSocket)
    /// The first process of a host, which listens.
    case channel(DescriptorChannel)
  }

  private let source: Source
  private let app: AppInfo
  /// The time until which it is closed.
  private var pause: Duration?

  init(_ source: Source, _ app: AppInfo) { (self.source, self.app) = (source, app) }

  /// Waits for connections.
  func addWait(to waits: inout Waits, _ take: @escaping () -> Void) {
    if let pause {
      guard CoreClock.machineTime >= pause else { return waits.end(by: pause) }
      self.pause = nil
    }
    switch source {
    case .listener(let listener): waits.add(listener.descriptor, POLLIN) { _ in take() }
    case .channel(let channel): waits.add(channel.descriptor, POLLIN) { _ in take() }
    }
  }

  /// Returns the next connection, and what has been read from it; nil if none waits, or for lack of
  /// descriptors.
  func next() -> DescriptorChannel.Message? {
    switch source {
    case .listener(let listener):
      if let socket = listener.accept() { return (socket, []) }
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
        app.reportOfHost("cannot take another connection: \(String(cString: strerror(errno)))")
        pause = CoreClock.machineTime + .seconds(1)
      }
      return nil
    case .channel(let channel):
      if let message = channel.receive() { return message }
      if channel.hasEnded { Signals.end() }
      return nil
    }
  }
}

extension AppInfo {
  /// Prints a line of a host on standard error.
  func reportOfHost(_ message: String) {
    StandardStreams.printError("\(name): host: \(message)", timeout: 0)
  }
}
