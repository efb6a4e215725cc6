#if canImport(SwiftUI)
  import Charts
  import Foundation
  import OffstageClient
  import SwiftUI
  import UniformTypeIdentifiers

  /// A screen, drawn in its own style if there is one, or else from its description.
  struct ScreenView: View {
    let screen: RemoteScreen
    let core: RemoteCore

    var body: some View {
      if let signUp = SignUpScreen(screen) {
        SignUpView(form: signUp)
      } else if let pokedex = PokedexScreen(screen) {
        PokedexView(pokedex: pokedex)
      } else if let description = core.description?[screen] {
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
      .navigationTitle(plan.title)
    }
  }

  /// The app's own notices and buttons, on every screen; empty if it has none.
  struct ScopeView: View {
    let core: RemoteCore

    var body: some View {
      if let app = core.document.app, let description = core.description?[app] {
        let items = ScreenPlan(of: app, description).items
        if !items.isEmpty {
          VStack(alignment: .leading) { ForEach(items) { ItemView(item: $0, core: core) } }
            .padding()
            .background(.regularMaterial)
        }
      }
    }
  }

  private struct ItemView: View {
    let item: ScreenPlan.Item
    let core: RemoteCore

    var body: some View {
      switch item {
      case .editor(let editor): EditorView(editor: editor)
      case .file(let picker): FilePickerView(picker: picker)
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
        }
      case .list(let list): ListView(list: list, core: core)
      case .button(let button):
        VStack(alignment: .leading) {
          ButtonView(button: button, press: button.press)
          if !button.reason.isEmpty { Text(button.reason).font(.caption) }
        }
      }
    }
  }

  /// A button, which a key presses if it is what the screen is for, or leaves it.
  private struct ButtonView: View {
    let button: Button
    let press: () -> Void

    var body: some View {
      SwiftUI.Button(button.title, role: role, action: press)
        .keyboardShortcut(shortcut)
        .disabled(!button.isEnabled)
    }

    private var role: ButtonRole? {
      switch button.weight {
      case .destructive: .destructive
      case .cancel: .cancel
      case .main, nil: nil
      }
    }

    private var shortcut: KeyboardShortcut? {
      switch button.weight {
      case .main: .defaultAction
      case .cancel: .cancelAction
      case .destructive, nil: nil
      }
    }
  }

  private struct EditorView: View {
    let editor: Editor

    var body: some View {
      VStack(alignment: .leading) {
        switch editor.port.role {
        case .toggle:
          Toggle(
            editor.port.title,
            isOn: Binding(get: { editor.isOn }, set: { editor.isOn = $0 }))
        case .choice:
          Picker(
            editor.port.title,
            selection: Binding(get: { editor.choice }, set: { editor.choice = $0 })
          ) {
            ForEach(editor.port.choices.map(\.title), id: \.self) { Text($0).tag($0) }
          }
        default:
          let text = Binding(get: { editor.text }, set: { editor.text = $0 })
          let prompt = editor.port.placeholder.map { Text($0) }
          Group {
            if editor.port.isSecret {
              SecureField(editor.port.title, text: text, prompt: prompt)
            } else {
              TextField(editor.port.title, text: text, prompt: prompt)
            }
          }
          .onLeave { editor.leave() }
        }
        if let error = editor.field.error {
          Text(error).font(.caption).foregroundStyle(.red)
        } else if editor.field.isChecking {
          ProgressView()
        }
      }
    }
  }

  /// Performs an action once a text loses the focus.
  private struct OnLeave: ViewModifier {
    let action: () -> Void
    @FocusState private var isFocused: Bool

    func body(content: Content) -> some View {
      content.focused($isFocused).onChange(of: isFocused) { if !isFocused { action() } }
    }
  }

  extension View {
    fileprivate func onLeave(_ action: @escaping () -> Void) -> some View {
      modifier(OnLeave(action: action))
    }
  }

  private struct FilePickerView: View {
    let picker: FilePicker
    @State private var problem: String?

    var body: some View {
      VStack(alignment: .leading) {
        FileButton(title: picker.port.title, rule: picker.rule) {
          problem = picker.pick($0, $1)
        }
        .disabled(!picker.isEnabled)
        if let problem { Text(problem).font(.caption).foregroundStyle(.red) }
      }
    }
  }

  /// A button that lets the person pick a file.
  struct FileButton: View {
    let title: String
    let rule: FileRule
    /// Takes the file and its media type.
    let take: (URL, String) -> Void
    @State private var isPicking = false

    var body: some View {
      SwiftUI.Button(title) { isPicking = true }
        .fileImporter(isPresented: $isPicking, allowedContentTypes: types) { result in
          guard let url = try? result.get() else { return }
          // A file outside of the app's own folders is open to it only between these calls.
          let isScoped = url.startAccessingSecurityScopedResource()
          defer { if isScoped { url.stopAccessingSecurityScopedResource() } }
          let type = UTType(filenameExtension: url.pathExtension)?.preferredMIMEType
          take(url, type ?? "application/octet-stream")
        }
    }

    private var types: [UTType] {
      let groups = ["image/*": UTType.image, "text/*": .text, "audio/*": .audio, "video/*": .movie]
      let found = rule.types.map { groups[$0] ?? UTType(mimeType: $0) ?? .data }
      return found.isEmpty ? [.data] : found
    }
  }

  private struct RichTextView: View {
    let text: RichText

    var body: some View {
      VStack(alignment: .leading, spacing: 8) {
        ForEach(Array(text.blocks.enumerated()), id: \.offset) { _, block in
          switch block {
          case .heading(let level, let runs): styled(runs).font(level == 1 ? .title2 : .headline)
          case .paragraph(let runs): styled(runs)
          case .listItem(let runs):
            HStack(alignment: .top) {
              Text("•")
              styled(runs)
            }
          case .code(let text): Text(text).monospaced()
          }
        }
      }
    }

    private func styled(_ runs: [RichText.Run]) -> Text {
      runs.reduce(Text(verbatim: "")) { text, run in
        var part = AttributedString(run.text)
        part.link = run.link.flatMap { URL(string: $0) }
        var piece = Text(part)
        if run.isBold { piece = piece.bold() }
        if run.isItalic { piece = piece.italic() }
        if run.isCode { piece = piece.monospaced() }
        return text + piece
      }
    }
  }

  /// A picture from the network, or one of the core's resources.
  private struct PictureView: View {
    let picture: Picture
    let core: RemoteCore
    @State private var address: URL?

    private var height: CGFloat {
      ["avatar": 64, "poster": 240, "thumbnail": 120, "icon": 32][picture.use ?? ""] ?? 180
    }

    var body: some View {
      AsyncImage(url: address) { image in
        image.resizable().scaledToFit()
      } placeholder: {
        Color.clear
      }
      .frame(height: height)
      .clipShape(RoundedRectangle(cornerRadius: picture.use == "avatar" ? height / 2 : 4))
      .accessibilityLabel(picture.alt)
      .accessibilityHidden(picture.alt.isEmpty)
      .task(id: picture.uri) { address = await load() }
    }

    private func load() async -> URL? {
      let uri = picture.uri
      guard uri.hasPrefix("resource:") else { return URL(string: uri) }
      guard let resource = try? await core.resource(uri) else { return nil }
      return URL(string: "data:\(resource.mimeType);base64,\(resource.base64)")
    }
  }

  private struct TableView: View {
    let table: Table

    var body: some View {
      Section(table.list.title) {
        Grid(alignment: .leading) {
          GridRow {
            ForEach(table.columns, id: \.name) { column in
              SwiftUI.Button(column.title) { table.sort(by: column) }
                .disabled(table.list.sorter == nil)
            }
          }
          ForEach(table.list.rows) { row in
            GridRow {
              ForEach(table.columns, id: \.name) { Text(table.text(row, $0)) }
            }
            .fontWeight(row.states.contains("selected") ? .bold : nil)
            .accessibilityAddTraits(row.states.contains("selected") ? .isSelected : [])
            .onTapGesture { table.list.tap(row) }
            .contextMenu { RowMenu(actions: table.list.menu(of: row), list: table.list, row: row) }
          }
        }
      }
    }
  }

  /// The messages of events. Most of them pass after some seconds.
  struct NewsView: View {
    let core: RemoteCore
    @State private var news = News()

    var body: some View {
      VStack {
        ForEach(news.messages) { message in
          HStack {
            Text(message.text)
            ForEach(message.buttons, id: \.port.name) { button in
              ButtonView(button: button) { news.press(button, message) }
            }
            if message.stays {
              SwiftUI.Button("Close", systemImage: "xmark") { news.remove(message) }
                .labelStyle(.iconOnly)
            }
          }
          .padding()
          .background(.regularMaterial, in: Capsule())
        }
      }
      .task { await news.follow(core) }
      .task(id: news.passing?.id) {
        guard let message = news.passing, (try? await Task.sleep(for: .seconds(5))) != nil else {
          return
        }
        news.remove(message)
      }
    }
  }

  private struct ListView: View {
    let list: RowList
    let core: RemoteCore

    var body: some View {
      Section(list.title) {
        ForEach(list.groups) { group in
          if !group.title.isEmpty { Text(group.title).font(.headline) }
          RowsView(list: list, rows: group.rows, core: core)
        }
      }
    }
  }

  /// Successive rows of a list.
  private struct RowsView: View {
    let list: RowList
    let rows: [Row]
    let core: RemoteCore

    private func move(_ indices: IndexSet, to offset: Int) {
      let start = list.rows.firstIndex { $0.id == rows.first?.id } ?? 0
      for index in indices { list.move(rows[index], to: start + offset) }
    }

    var body: some View {
      ForEach(rows) { row in
        Group {
          if list.isTappable(row) {
            SwiftUI.Button {
              list.tap(row)
            } label: {
              RowView(row: row, core: core)
            }
          } else {
            RowView(row: row, core: core)
          }
        }
        .contextMenu { RowMenu(actions: list.menu(of: row), list: list, row: row) }
        .swipeActions {
          RowMenu(actions: list.menu(of: row).filter(\.isDestructive), list: list, row: row)
        }
        .accessibilityAddTraits(row.states.contains("selected") ? .isSelected : [])
        .onAppear { if row.id == list.rows.last?.id { list.showedEnd() } }
      }
      .onMove(perform: list.isMovable ? move : nil)
    }
  }

  /// What can be done with a row besides a tap.
  private struct RowMenu: View {
    let actions: [RowList.Action]
    let list: RowList
    let row: Row

    var body: some View {
      ForEach(actions) { action in
        let send = { list.send(action.input, row) }
        Group {
          if let isOn = action.isOn {
            Toggle(action.input.title, isOn: Binding(get: { isOn }, set: { _ in send() }))
          } else {
            SwiftUI.Button(
              action.input.title, role: action.isDestructive ? .destructive : nil, action: send)
          }
        }
        .disabled(!action.isEnabled)
      }
    }
  }

  private struct RowView: View {
    let row: Row
    let core: RemoteCore

    var body: some View {
      HStack {
        PiecesView(pieces: row.leading, core: core)
        VStack(alignment: .leading) { PiecesView(pieces: row.lines, core: core) }
        Spacer()
        PiecesView(pieces: row.trailing, core: core)
      }
    }
  }

  private struct PiecesView: View {
    let pieces: [Row.Piece]
    let core: RemoteCore

    var body: some View {
      ForEach(Array(pieces.enumerated()), id: \.offset) { _, piece in
        switch piece {
        case .picture(let picture): PictureView(picture: picture, core: core)
        case .title(let text): Text(text)
        case .subtitle(let text): Text(text).font(.subheadline)
        case .details(let text): Text(text).font(.caption).foregroundStyle(.secondary)
        case .progress(let share): ProgressView(value: share)
        case .mark(let mark):
          if let symbol = mark.symbol {
            Image(systemName: symbol).accessibilityLabel(mark.title)
          } else {
            Text(mark.title).font(.caption)
          }
        case .badge(let text): Text(text).padding(.horizontal, 6).background(.tint, in: Capsule())
        case .accessory(let text): Text(text).foregroundStyle(.secondary)
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

  private struct PokedexView: View {
    let pokedex: PokedexScreen

    var body: some View {
      List(pokedex.output?.pokemon ?? []) { row in
        SwiftUI.Button(row.name) { pokedex.pokemonTapped(row.id) }
          .onAppear {
            if row.id == pokedex.output?.pokemon.last?.id {
              pokedex.screen.showedEnd(of: "pokemon")
            }
          }
      }
      .refreshable { try? await pokedex.refresh.settle() }
      .navigationTitle("Pokédex")
    }
  }
#endif
