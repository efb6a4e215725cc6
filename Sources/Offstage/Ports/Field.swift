package import OffstageJSON

/// State that the front end changes: a text, a choice, the position of a switch or a slider.
///
/// The content is part of the document, at `/screens/ID/fields/NAME`, and the screen may change it,
/// too. It can therefore fill in and clear a form, and a front end that connects late can draw it.
/// The front end sends the content like an input, and shows what it has sent until the core has
/// answered, and the document from then on.
/// ```swift
/// struct Input: Ports {
///   let nameText = Field("", .required, .length(...40))
///   let emailText = Field("", .matches("^[^@ ]+@[^@ ]+$", "Enter an email address"))
///   let confirm = In<Trigger>()
/// }
///
/// input.confirm.observe { [self] in
///   if input.nameText.validate() && input.emailText.validate() { save() }
/// }
/// ```
/// `isValid` follows the rules at once. The message of a rule becomes the `error` when the user leaves
/// the field, or when `validate()` is called, and disappears when the content changes, so a text still
/// being typed has none. A screen none of whose texts has been changed shows none either: a list need
/// not get a new entry. Only a text that is too long shows its message at once. An asynchronous rule
/// that is still running shows its message once it has one.
///
/// Leave `confirm` enabled while a field is not valid: pressing it shows the messages of all fields.
///
/// The document does not contain a password: it has a mask in the place of the content of a field
/// that is secret, by its name or by `Role.secret`.
public final class Field<Value: Codable & Equatable & Sendable>: Port, FieldPort, Source {
  /// The content. Setting it notifies observers at once, and the front end at the end of the turn.
  public var value: Value {
    get {
      noteRead()
      return current
    }
    set { set(newValue) }
  }

  /// The message beside the field, in the language of the user; nil for none. `validate()` sets it,
  /// and the screen may set it to the objection of a server. It disappears when the content
  /// changes.
  public var error: String? {
    get {
      noteRead()
      return message
    }
    set {
      guard newValue != message else { return }
      message = newValue
      noteChange()
    }
  }

  /// True if the content meets every rule.
  public var isValid: Bool {
    noteRead()
    return (asyncRules.isEmpty || asyncRulesPass) && firstFailure == nil
  }

  /// True while asynchronous rules check the content. The document says so, too.
  public var isChecking: Bool {
    noteRead()
    return asyncCheck?.isRunning == true
  }

  /// True if the content differs from the initial one, or from that of the last `reset` or
  /// `submit` of its form.
  public var isDirty: Bool {
    noteRead()
    return !isSame(current, clean)
  }

  // Unchecked on the hot path; see `CoreActor`.
  @exclusivity(unchecked) private var current: Value
  @exclusivity(unchecked) private var message: String?
  /// The content, masked if it is secret, and the message in the document.
  @exclusivity(unchecked) private var published: Value
  @exclusivity(unchecked) private var publishedMessage: String?
  private var publishedIsChecking = false
  @exclusivity(unchecked) private var clean: Value
  private let relay = Relay<Value>()
  /// nil until `edits` is first used.
  private var sent: Relay<Value>?
  /// The property of a model that the field edits; nil for none.
  private let property: AnyKeyPath?
  @exclusivity(unchecked) private var rules: [Rule<Value>]
  private var asyncRules: [Rule<Value>.AsyncCheck] = []
  /// False while they run, and after one of them has failed.
  private var asyncRulesPass = true
  /// The message of the asynchronous rule that the content does not meet.
  private var asyncFailure: LocalizedText?
  /// True if the content is to have a message as soon as there is one.
  private var isValidated = false
  /// Runs the asynchronous rules; nil before the screen is created and after it has closed.
  private var asyncCheck: EffectHandle?
  /// True if the document does not contain the content.
  @exclusivity(unchecked) private var isSecret = false
  /// True for content from before the restart that `init` must not replace, nor the first `reset`
  /// if it had not been saved.
  private var isRestored = false

  /// Creates a field with its initial content, the rules for valid content, and the roles that its
  /// name and type do not imply. The message of the first rule that is not met is shown.
  public convenience init(_ initial: Value, _ rules: Rule<Value>..., roles: Role<Value>...) {
    self.init(initial, property: nil, rules, roles)
  }

  /// Creates a field for a property of a model, which a ``Form`` reads and writes.
  /// ```swift
  /// let titleText = Field("", of: \Draft.title, .required)
  /// ```
  public convenience init<Model>(
    _ initial: Value, of property: WritableKeyPath<Model, Value>, _ rules: Rule<Value>...,
    roles: Role<Value>...
  ) {
    self.init(initial, property: property, rules, roles)
  }

  private init(
    _ initial: Value, property: AnyKeyPath?, _ rules: [Rule<Value>], _ roles: [Role<Value>]
  ) {
    current = initial
    published = initial
    clean = initial
    self.property = property
    self.rules = rules
    asyncRules = rules.compactMap { $0.asyncCheck }
    super.init(Meaning(roles))
    if let node = ScreenNode.current, let saved = node.saved(for: self) { restore(saved, node) }
  }

  /// Adds rules that need what the screen was created with. Call it in the `init` of the screen.
  public func check(_ rules: Rule<Value>...) {
    self.rules += rules
    asyncRules = self.rules.compactMap { $0.asyncCheck }
  }

  /// Changes the content from within the core, as the front end does.
  public func send(_ value: Value) {
    set(value)
    if let sent { sent.send(value) }
  }

  /// - Parameter isSaved: True for content that the asynchronous rules have accepted before.
  private func set(_ value: Value, isSaved: Bool = false) {
    if isRestored {
      if node == nil { return }
      isRestored = false
    }
    let isNew = !isSame(value, current)
    if isNew {
      current = value
      message = exceeded?(node?.core.userLocale.language ?? "en")
      isValidated = false
      noteChange()
    }
    if !asyncRules.isEmpty {
      if isSaved {
        asyncFailure = nil
        asyncRulesPass = true
        asyncCheck?.cancel()
      } else if isNew {
        startAsyncRules()
      }
    }
    #if DEBUG
      if let node { node.core.noteHandler(node) }
    #endif
    relay.send(value)
  }

  /// Sets the content to what is saved. The field is then clean and has no error. Asynchronous
  /// rules do not run, because they have accepted this content before.
  public func reset(to value: Value) {
    clean = value
    // A load does not replace a draft from before the restart. A save does.
    if isRestored, node == nil || isDirty && node?.isLoading == true {
      if node != nil { isRestored = false }
      return noteChange()
    }
    set(value, isSaved: true)
    error = nil
    noteChange()
  }

  package func resetProperty<Model>(of model: Model) -> Bool {
    guard let property = property as? KeyPath<Model, Value> else { return false }
    reset(to: model[keyPath: property])
    return true
  }

  package func applyProperty<Model>(to model: inout Model) -> Bool {
    guard let property = property as? WritableKeyPath<Model, Value> else { return false }
    model[keyPath: property] = current
    return true
  }

  package func snapshot() -> SubmittedContent {
    let content = current
    return SubmittedContent {
      isSame(content, self.current)
    } markClean: {
      self.clean = content
      self.noteChange()
    }
  }

  /// Sends what the user enters from now on. Unlike `signal`, it sends neither the current content
  /// nor what the screen sets itself.
  public var edits: Signal<Value> {
    let relay = sent ?? Relay()
    sent = relay
    return relay.signal
  }

  /// The current content and every one after it.
  public var signal: Signal<Value> { Signal(relay) { self.current } }

  // MARK: Validation

  /// Shows the message of the first rule that the content does not meet. If asynchronous rules are
  /// running, their message follows.
  /// - Returns: True if the content is valid.
  @discardableResult
  public func validate() -> Bool {
    if showFailure(), let asyncFailure { show(asyncFailure) }
    return isValid
  }

  package func showFailure() -> Bool {
    isValidated = true
    guard let firstFailure else { return true }
    show(firstFailure)
    return false
  }

  /// Shows the message of the first rule that is not met, and waits for asynchronous rules.
  /// - Returns: True if the content is valid.
  /// - Throws: What an asynchronous rule throws.
  @discardableResult
  public func validate() async throws -> Bool {
    guard showFailure() else { return false }
    if isValid { return true }
    let checked = current
    let found = try await asyncFailure(to: checked, waits: false)
    // The content may have changed during the check.
    guard isSame(checked, current) else { return false }
    // Cancel the pending check: after a save, the server would object to what was just saved.
    asyncCheck?.cancel()
    finishCheck(with: found)
    return found == nil
  }

  /// The message of a rule that more typing cannot mend.
  private var exceeded: LocalizedText? {
    rules.first { $0.isExceeded(current) }?.message(current)
  }

  private var firstFailure: LocalizedText? {
    rules.lazy.compactMap { [current] in $0.message(current) }.first
  }

  private func show(_ message: LocalizedText) {
    error = message(node?.core.userLocale.language ?? "en")
  }

  private func startAsyncRules() {
    asyncFailure = nil
    asyncRulesPass = false
    // Before the screen is created, wait for `attach`.
    guard let asyncCheck else { return }
    guard firstFailure == nil else { return asyncCheck.cancel() }
    let checked = current
    asyncCheck.run { [self] in
      let found = try await asyncFailure(to: checked, waits: true)
      // A rule may ignore that newer content has canceled it.
      try Task.checkCancellation()
      finishCheck(with: found)
    } catch: { [self] error in
      // Content that could not be checked counts as valid.
      node?.core.onLog(.init(level: .warning, message: "the check of \(label) failed: \(error)"))
      finishCheck(with: nil)
    }
  }

  private func asyncFailure(to value: Value, waits: Bool) async throws -> LocalizedText? {
    for rule in asyncRules {
      if waits, rule.delay > .zero { try await asyncCheck?.effects.sleep(for: rule.delay) }
      if let failure = try await rule.message(value) { return failure }
    }
    return nil
  }

  private func finishCheck(with failure: LocalizedText?) {
    // A rule may accept on a second look what it has refused before.
    if failure == nil, asyncFailure != nil { error = nil }
    asyncFailure = failure
    asyncRulesPass = failure == nil
    if isValidated, let failure { show(failure) }
    noteChange()
  }

  // MARK: The wire

  // SE-0460, which Swift 6.2 does not support.
  #if compiler(>=6.3)
    @specialized(where Value == String)
    @specialized(where Value == String?)
    @specialized(where Value == Bool)
    @specialized(where Value == Int)
  #endif
  package func receive(_ value: JSONView?) throws(JSONMismatch) {
    if let value {
      send(try value.decode(Value.self))
    } else {
      send(try valueIfAbsent(Value.self))
    }
  }

  override func attach(to node: ScreenNode, as name: String) {
    super.attach(to: node, as: name)
    isSecret = isSecret(name.words)
    if !isDirty { isRestored = false }
    guard !asyncRules.isEmpty else { return }
    let check = Effects(of: node).task(name: "validate \(name)")
    asyncCheck = check
    check.activity.observe { [unowned self] _ in noteChange() }
    if !asyncRulesPass { startAsyncRules() }
  }

  override var pointer: [UInt8] { node.map { $0.path(ofField: name).member("value") } ?? [] }

  /// The JSON Pointer of what is beside the content.
  private func pointer(beside member: String) -> [UInt8] {
    path.dropLast("value".utf8.count) + member.utf8
  }

  override func detach() {
    super.detach()
    relay.removeAll()
    sent = nil
    rules = []
    asyncRules = []
    asyncCheck = nil
  }

  /// The content in the document. An empty one is not masked.
  private var shown: Value {
    guard isSecret, let text = current as? any TextContent, !text.text.isEmpty else {
      return current
    }
    return secretMask as! Value
  }

  package func write(to writer: inout JSONWriter) {
    hasChanged = false
    published = shown
    publishedMessage = message
    publishedIsChecking = asyncCheck?.slot.running != nil
    writer.beginObject()
    writer.key("value")
    writer.value(published, of: "The field \(label)")
    writer.key("error")
    writer.value(message, of: "The field \(label)")
    if publishedIsChecking {
      writer.key("isChecking")
      writer.bool(true)
    }
    writer.endObject()
  }

  // SE-0460, which Swift 6.2 does not support.
  #if compiler(>=6.3)
    @specialized(where Value == String)
    @specialized(where Value == String?)
    @specialized(where Value == Bool)
    @specialized(where Value == Int)
  #endif
  package func writeChanges(to writer: inout JSONWriter) {
    hasChanged = false
    let shown = isSecret ? shown : current
    if !isSame(published, shown) {
      writer.change(at: path, from: published, to: shown, of: "The field \(label)")
      published = shown
    }
    if publishedMessage != message {
      writeMessage(to: &writer)
    }
    if asyncCheck != nil { writeIsChecking(to: &writer) }
  }

  @inline(never)
  private func writeMessage(to writer: inout JSONWriter) {
    writer.replace(at: pointer(beside: "error")) {
      $0.value(message, of: "The field \(label)")
    }
    publishedMessage = message
  }

  @inline(never)
  private func writeIsChecking(to writer: inout JSONWriter) {
    let isChecking = asyncCheck?.slot.running != nil
    guard isChecking != publishedIsChecking else { return }
    publishedIsChecking = isChecking
    let path = pointer(beside: "isChecking")
    if isChecking { writer.add(at: path) { $0.bool(true) } } else { writer.remove(at: path) }
  }

  package override var asInput: (any InputPort)? { self }

  package override var asField: (any FieldPort)? { self }

  override var ownRelay: AnyObject? { relay }

  package var valueType: any Decodable.Type { Value.self }

  package var validity: JSONObject {
    var validity = JSONObject()
    for (keyword, value) in rules.flatMap(\.keywords.members) {
      // The stricter of two limits counts.
      if let other = validity[keyword]?.double, let limit = value.double,
        keyword.hasPrefix("max") ? other <= limit : other >= limit
      {
        continue
      }
      validity[keyword] = value
    }
    return validity
  }
}

extension Field: Keeper {
  var keptName: String? { node == nil ? nil : "fields/\(name)" }

  /// The content, and how it differs from that of a field without one: what is saved of it, the
  /// message beside it, and whether asynchronous rules are still to check it.
  // SE-0460, which Swift 6.2 does not support.
  #if compiler(>=6.3)
    @specialized(where Value == String)
    @specialized(where Value == String?)
    @specialized(where Value == Bool)
    @specialized(where Value == Int)
  #endif
  func writeKept(to writer: inout JSONWriter) {
    guard !isSecret else { return }
    writer.fragment("{\"value\":")
    writer.value(current, of: "The field \(label)")
    if !isSame(current, clean) {
      writer.fragment(",\"saved\":")
      writer.value(clean, of: "The field \(label)")
    }
    if let message {
      writer.key("error")
      writer.string(message)
    }
    if !asyncRulesPass {
      writer.key("isChecked")
      writer.bool(false)
    }
    writer.endObject()
  }

  private func restore(_ state: JSON, _ node: ScreenNode) {
    guard let value = state["value"] else { return }
    do {
      let content = try value.decode(Value.self)
      clean = try state["saved"]?.decode(Value.self) ?? content
      current = content
      message = state["error"]?.string
      asyncRulesPass = asyncRules.isEmpty || state["isChecked"]?.bool != false
      // Anything but a draft gives way to what the screen sets: its store may know better by now.
      isRestored = state["saved"] != nil
    } catch { node.core.logLeftOut("a field of \"\(node.kind)\"", error) }
  }
}
