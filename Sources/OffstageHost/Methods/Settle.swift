extension Method {
  /// A wait until the core has come to rest.
  static let settle = Method(
    "state/settle",
    "Answers once nothing more will happen until a person, a device or the clock acts.",
    errors: [.cancelled, .overloaded]
  ) { _, _ in .once(.settled) }
}
