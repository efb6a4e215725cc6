#if canImport(SwiftUI)
  import Charts
  import OffstageClient
  import SwiftUI

  /// A screen, drawn in its own style if there is one, or else from its description.
  struct ScreenView: View {
    let screen: RemoteScreen
    let core: RemoteCore

    var body: some View {
      if let signUp = SignUpScreen(screen) {
        SignUpView(form: signUp)
      } else if let description = core.description {
        PlanView(plan: ScreenPlan(of: screen, description), core: core)
      }
    }
  }

  /// Any screen, drawn from its description.
  private struct PlanView: View {
    let plan: ScreenPlan
    let core: RemoteCore

    var body: some View {
      Form {
        if let subtitle = plan.subtitle { Text(subtitle).foregroundStyle(.secondary) }
        ForEach(plan.items) { ItemView(item: $0, core: core) }
      }
      .formStyle(.grouped)
      .defaultScrollAnchor(plan.opensAtEnd ? .bottom : .top)
      .navigationTitle(plan.title)
    }
  }

  /// The app's own notices and buttons, on every screen; empty if it has none.
  struct ScopeView: View {
    let core: RemoteCore

    var body: some View {
      if let app = core.document.app, let description = core.description {
        let items = ScreenPlan(of: app, description).items
        if !items.isEmpty {
          VStack(alignment: .leading) { ForEach(items) { ItemView(item: $0, core: core) } }
            .padding()
            .background(.regularMaterial)
        }
      }
    }
  }

  /// A part that stands alone.
  private struct PartView: View {
    let plan: ScreenPlan
    let core: RemoteCore

    var body: some View {
      TitledSection(title: plan.title) {
        if let subtitle = plan.subtitle { Text(subtitle).foregroundStyle(.secondary) }
        ForEach(plan.items) { ItemView(item: $0, core: core) }
      }
    }
  }

  /// A section of a form or, within one, its title and its content: sections do not nest.
  struct TitledSection<Content: View>: View {
    let title: String
    @ViewBuilder let content: Content
    @Environment(\.isInSection) private var isInSection

    var body: some View {
      if isInSection {
        Text(title).font(.headline)
        content
      } else {
        Section(title) { content }.environment(\.isInSection, true)
      }
    }
  }

  extension EnvironmentValues {
    fileprivate var isInSection: Bool {
      get { self[InSection.self] }
      set { self[InSection.self] = newValue }
    }
  }

  private struct InSection: EnvironmentKey {
    static let defaultValue = false
  }

  struct ItemView: View {
    let item: ScreenPlan.Item
    let core: RemoteCore

    var body: some View {
      switch item {
      case .editor(let editor): EditorView(editor: editor)
      case .file(let picker): FilePickerView(picker: picker)
      case .form(let form): ValueFormView(form: form)
      case .line(_, let title, let text): LabeledContent(title, value: text)
      case .richText(_, let text): RichTextView(text: text)
      case .code(_, let text): Text(text).monospaced()
      case .picture(_, let picture): PictureView(picture: picture, core: core)
      case .chart(_, let title, let points):
        VStack(alignment: .leading) {
          Text(title).font(.headline)
          Chart(points) { BarMark(x: .value(title, $0.label), y: .value(title, $0.value)) }
            .frame(height: 160)
        }
      case .table(let table): TableView(table: table)
      case .work(_, let title, nil, _): ProgressView(title)
      case .work(_, let title, .some(let share), let text):
        ProgressView(value: min(max(share, 0), 1)) {
          Text(title)
        } currentValueLabel: {
          Text(text)
        }
      case .notice(_, let text, let buttons):
        HStack {
          Text(text)
          Spacer()
          ForEach(buttons, id: \.port.name) { ButtonView(button: $0, press: $0.press) }
            // Without a style, a tap on a row of a form presses all buttons in it.
            .buttonStyle(.bordered)
        }
      case .list(let list): ListView(list: list, core: core)
      case .part(_, let plan): PartView(plan: plan, core: core)
      case .button(let button):
        VStack(alignment: .leading) {
          ButtonView(button: button, press: button.press)
          if !button.reason.isEmpty { Text(button.reason).font(.caption) }
        }
      }
    }
  }

  // MARK: Screens with a style of their own

  private struct SignUpView: View {
    let form: SignUpScreen

    var body: some View {
      Form {
        field("Name", form.nameText)
        field("Email", form.emailText)
        SwiftUI.Button("Sign up") { form.confirm() }.disabled(!form.confirm.isEnabled)
        SwiftUI.Button("Cancel", role: .cancel) { form.cancel() }
      }
      .formStyle(.grouped)
      .navigationTitle("Sign up")
    }

    private func field(_ title: String, _ field: TypedField<String>) -> some View {
      VStack(alignment: .leading) {
        TextField(
          title, text: Binding(get: { field.value ?? "" }, set: { field.value = $0 })
        )
        .onLeave { field.field.check() }
        if let error = field.error { Text(error).font(.caption).foregroundStyle(.red) }
      }
    }
  }
#endif
