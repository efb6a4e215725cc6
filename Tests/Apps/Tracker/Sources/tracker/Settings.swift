import Offstage

/// The theme, the account, and the sync.
final class Settings: Screen {
  static let kind = "settings"

  struct Input: Ports {
    let themePicked = Field(Store.Theme.system)
    let signOutTapped = In<Trigger>()
    let syncTapped = In<Trigger>()
  }

  struct Output: Ports {}

  let input = Input()
  let output = Output()
  let effects = Effects()

  private let router = Router()

  init(_ scope: AppScope) {
    input.themePicked.reset(to: scope.store.content.theme)
    let theming = effects.task()
    let signOut = effects.task(.keepFirst)
    input.themePicked.edits.observe { [input] theme in
      theming.optimistic(
        from: scope.store.content.theme, to: theme,
        show: {
          input.themePicked.reset(to: $0)
          scope.isDark.value = $0.isDark
        },
        save: { try await scope.store.set($0) }, catch: { scope.show($0) })
    }
    input.syncTapped.observe { [router] in router.present(Sync.self, as: .sheet([.medium])) }
    let askToSignOut = { [effects] in
      signOut.run {
        if await effects.confirm("Sign out?", "Sign out") { scope.signOut() }
      }
    }
    input.signOutTapped.observe { askToSignOut() }
    signOut.onRestart("signOut") { askToSignOut() }
  }
}

/// A sync that continues after the sheet has closed.
final class Sync: Screen {
  static let kind = "sync"

  struct Input: Ports {
    let start = In<Trigger>()
    let cancel = In<Trigger>(.visible(by: \Output.canCancel))
  }

  struct Output: Ports {
    let state = Out(SyncState())
    let canCancel = Out(false)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(_ scope: AppScope) {
    output.state.bind(scope.output.sync)
    output.canCancel.derive { [output] in output.state.value.phase == .running }
    input.start.observe { scope.startSync() }
    input.cancel.observe { scope.cancelSync() }
  }
}
