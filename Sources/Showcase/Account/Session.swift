import Offstage

/// The account that the app shows. Another process may sign in or out at any time, so repositories
/// check the ``owner`` whose data they read or write.
@CoreActor
final class Session {
  /// nil for a guest.
  let account = Out<Account?>(nil)
  /// True once it is known that no account is signed in.
  let isGuest = Out(false)
  /// Fires after another account, or the guest, is shown.
  let switches = Relay<Trigger>()

  private let repository: any AccountRepository
  private let refreshing: EffectHandle
  private var isKnown = false

  init(_ repository: any AccountRepository, _ effects: Effects) {
    self.repository = repository
    refreshing = effects.task(.latest)
  }

  /// The owner of what the screens show. A screen takes it when the user acts, not when it saves:
  /// another account may be shown by then.
  var owner: Owner { isKnown ? account.value.map { .account($0.id) } ?? .guest : .signedIn }

  /// Reads what belongs to the owner. If another process has changed the account, shows that account
  /// and reads again.
  func read<Value: Sendable>(_ body: (Owner) async throws -> Value) async throws -> Value {
    if !isKnown { try await reload() }
    do { return try await body(owner) } catch let failure as LoadFailure
      where failure.reason == .accountChanged
    {
      try await reload()
      return try await body(owner)
    }
  }

  /// Writes for an owner. If another process has changed the account, fails and shows that account.
  func write<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let failure as LoadFailure
      where failure.reason == .accountChanged
    {
      refresh()
      throw failure
    }
  }

  /// Shows another account, or the guest.
  func show(_ account: Account?) {
    set(account)
    switches.send(Trigger())
  }

  /// Shows the account that is signed in.
  /// - Throws: The errors of `AccountRepository.account()`.
  @discardableResult
  func reload() async throws -> Account? {
    let shown = account.value
    let current = try await repository.account()
    // This process may have changed it in the meantime.
    guard account.value == shown else { return account.value }
    if isKnown, current?.id != shown?.id { show(current) } else { set(current) }
    return current
  }

  func refresh() {
    refreshing.run { [self] in
      try await reload()
    } catch: { _ in
      // The next access tries again.
    }
  }

  private func set(_ account: Account?) {
    isKnown = true
    self.account.value = account
    isGuest.value = account == nil
  }
}
