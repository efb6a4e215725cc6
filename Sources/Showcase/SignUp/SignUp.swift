public import Offstage

/// The sign-up form: it can be confirmed once there is a name and an address.
public final class SignUp: Screen {
  public static let kind = "signUp"

  /// What stands in the fields at first.
  public struct Argument: Codable, Sendable {
    public var name: String?
    public var email: String?

    public init(name: String? = nil, email: String? = nil) {
      self.name = name
      self.email = email
    }
  }

  public struct Dependency {
    public var name: String?
    public var email: String?
    public let accounts: any AccountRepository
    public let coordinator: any SignUpCoordinator

    public init(
      name: String? = nil, email: String? = nil, accounts: any AccountRepository,
      coordinator: any SignUpCoordinator
    ) {
      self.name = name
      self.email = email
      self.accounts = accounts
      self.coordinator = coordinator
    }
  }

  public struct Input: Ports {
    public let nameText = In<String?>(nil)
    public let emailText = In<String?>(nil)
    public let confirm = In<Trigger>()
    public let cancel = In<Trigger>()
    public init() {}
  }

  public struct Output: Ports {
    public let isConfirmEnabled = Out(false)
    public let failed = Event<LoadFailure>()
    public init() {}
  }

  public typealias Result = Account

  public let input = Input()
  public let output = Output()
  public let effects = Effects()

  public init(dependency: Dependency) {
    input.nameText.send(dependency.name)
    input.emailText.send(dependency.email)
    output.isConfirmEnabled.bind(
      combineLatest(input.nameText, input.emailText).map(Self.isComplete))
    input.confirm.observe { [self] in
      if output.isConfirmEnabled.value { confirm(dependency.accounts) }
    }
    input.cancel.observe { dependency.coordinator.closeSignUp() }
  }

  /// Exactly what the article asks for: both are there and not empty, whatever they say.
  private static func isComplete(name: String?, email: String?) -> Bool {
    name?.isEmpty == false && email?.isEmpty == false
  }

  private func confirm(_ accounts: any AccountRepository) {
    let name = input.nameText.value.flatMap(\.self) ?? ""
    let email = input.emailText.value.flatMap(\.self) ?? ""
    effects.run("confirm", .keepFirst) { [self] in
      finish(try await accounts.create(name: name, email: email))
    } catch: { [self] error in
      output.failed.send(LoadFailure(error))
    }
  }
}

/// Where the form can lead.
@CoreActor
public protocol SignUpCoordinator {
  func closeSignUp()
}
