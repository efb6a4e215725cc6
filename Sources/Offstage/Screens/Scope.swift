/// The app as a whole: state, inputs, and work that outlive screens, such as the session of the
/// user, a badge, or a long sync.
///
/// A scope is declared like a screen and belongs to no stack. It starts before the first screen and
/// ends with the core. In the document it is at `/app`, and front ends address it as the screen
/// `"app"`.
/// ```swift
/// final class AppScope: Scope {
///   struct Input: Ports { let signOut = In<Trigger>() }
///   struct Output: Ports { let account = Out<Account?>(nil) }
///   let input = Input(), output = Output(), effects = Effects()
///
///   init(session: any SessionRepository) {
///     effects.run { [self] in output.account.value = try await session.account() }
///   }
/// }
///
/// App(
///   root: .tabs(…),
///   scope: ScreenFactory(AppScope.self) { dependencies in
///     let scope = AppScope(session: try dependencies[.session])
///     dependencies.set(.scope, to: scope)
///     return scope
///   }, screens: …)
/// ```
@CoreActor
public protocol Scope: Screen where Argument == Empty, Result == Empty {
  /// Returns true if the app may open a link now. If it returns false, the link waits until it
  /// returns true or until another link is opened.
  ///
  /// Return false while the app starts, and for a private link until the user has signed in. It is
  /// called again at the end of every turn.
  func mayOpen(_ link: Link) -> Bool

  /// Called once for each link that has to wait. Show the user what it waits for, such as a form to
  /// sign in. If the user declines, call ``Router/stay()``, so that the link is not opened later.
  func linkWaits(_ link: Link)
}

extension Scope {
  /// `app`.
  public static var kind: String { "app" }

  /// Returns true.
  public func mayOpen(_ link: Link) -> Bool { true }

  /// Does nothing.
  public func linkWaits(_ link: Link) {}
}
