#if canImport(SwiftUI)
  import OffstageClient
  import SwiftUI
  import UniformTypeIdentifiers

  /// A button, which a key presses if it is what the screen is for, or leaves it.
  struct ButtonView: View {
    let button: Button
    let press: @MainActor () -> Void

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

  struct EditorView: View {
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
            ForEach(titles, id: \.self) { Text($0).tag($0) }
          }
        case _ where editor.moment != nil: MomentView(editor: editor)
        default:
          let text = Binding(get: { editor.text }, set: { editor.text = $0 })
          let prompt = Text(editor.port.placeholder ?? "")
          // A field of a phone shows its title only while it is empty.
          LabeledContent(editor.port.title) {
            Group {
              if editor.port.isSecret {
                SecureField(editor.port.title, text: text, prompt: prompt)
              } else {
                TextField(
                  editor.port.title, text: text, prompt: prompt,
                  axis: editor.isLong ? .vertical : .horizontal)
              }
            }
            .labelsHidden()
            .onLeave { editor.leave() }
          }
        }
        if let error = editor.field.error {
          Text(error).font(.caption).foregroundStyle(.red)
        } else if editor.field.isChecking {
          ProgressView()
        }
      }
      .disabled(!editor.isEnabled)
    }

    /// The titles to pick from. A picker draws its value only if it is one of them.
    private var titles: [String] {
      let titles = editor.choices.map(\.title)
      return titles.contains(editor.choice) ? titles : [editor.choice] + titles
    }
  }

  /// Picks a date, a time, or both.
  private struct MomentView: View {
    let editor: Editor

    var body: some View {
      if let moment = editor.moment {
        DatePicker(
          editor.port.title,
          selection: Binding(
            get: { editor.moment?.date ?? moment.date },
            set: { editor.moment = (moment.kind, $0) }),
          displayedComponents: components(moment.kind))
      }
    }

    private func components(_ kind: Moment) -> DatePickerComponents {
      switch kind {
      case .date: .date
      case .time: .hourAndMinute
      case .dateTime: [.date, .hourAndMinute]
      }
    }
  }

  /// Takes what a person types for a value, and sends it as a whole.
  struct ValueFormView: View {
    let form: ValueForm
    @State private var texts: [String: String] = [:]

    var body: some View {
      VStack(alignment: .leading) {
        Text(form.port.title).font(.headline)
        ForEach(form.texts) { text in
          TextField(
            text.hint,
            text: Binding(get: { texts[text.id] ?? "" }, set: { texts[text.id] = $0 }))
        }
        SwiftUI.Button("Set") { form.send(texts) }.buttonStyle(.bordered)
      }
      .disabled(!form.isEnabled)
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
    func onLeave(_ action: @escaping () -> Void) -> some View {
      modifier(OnLeave(action: action))
    }
  }

  struct FilePickerView: View {
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
#endif
