@testable import Offstage

/// Named work, so that a test need not declare a handle for work that it starts once.
extension Effects {
  func run(
    _ name: String, _ policy: Policy = .latest, outlivesScreen: Bool = false,
    _ operation: @escaping @CoreActor () async throws -> Void,
    catch handle: (@CoreActor (any Error) -> Void)? = nil
  ) {
    self.handle(name, policy).run(outlivesScreen: outlivesScreen, operation, catch: handle)
  }

  func isRunning(_ name: String) -> Bool { handle(name, .latest).isRunning }

  func activity(_ name: String) -> Signal<Bool> { handle(name, .latest).activity }

  func cancel(_ name: String) { handle(name, .latest).cancel() }
}
