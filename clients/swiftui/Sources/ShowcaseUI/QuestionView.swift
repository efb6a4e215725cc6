#if canImport(SwiftUI)
  import AuthenticationServices
  import OffstageClient
  import SwiftUI
  import UniformTypeIdentifiers

  extension View {
    /// Shows the questions while this view is the topmost one: a sheet covers what is below it.
    /// - Parameter depth: The number of sheets and covers below the view.
    func asks(_ core: RemoteCore, at depth: Int) -> some View {
      modifier(QuestionLayer(core: core, depth: depth))
    }
  }

  /// Shows a question as a dialog, or as a sheet if it has a control.
  private struct QuestionLayer: ViewModifier {
    let core: RemoteCore
    let depth: Int
    @Environment(Asking.self) private var asking

    func body(content: Content) -> some View {
      let isTop = core.document.navigation.presented.count == depth
      let question = isTop ? asking.question : nil
      let isSheet = question?.control != nil
      let isDialog = question != nil && !isSheet && question?.isAnsweredAtOnce == false
      content
        .task(id: question?.id) { if let question { asking.begin(question) } }
        .alert(
          question?.title ?? "", isPresented: Binding(get: { isDialog }, set: { _ in }),
          presenting: question
        ) { question in
          QuestionFields(question: question, asking: asking)
          QuestionButtons(question: question, asking: asking)
          if question.canDismiss {
            SwiftUI.Button("Dismiss", role: .cancel) { asking.dismiss(question) }
          }
        } message: { question in
          let texts = [question.message, asking.problem(question)].filter { !$0.isEmpty }
          Text(texts.joined(separator: "\n"))
        }
        .sheet(
          item: Binding(
            get: { isSheet ? question : nil },
            set: { new in if new == nil, let question { asking.dismiss(question) } })
        ) {
          QuestionSheet(question: $0, asking: asking)
        }
    }
  }

  private struct QuestionSheet: View {
    let question: Question
    let asking: Asking

    var body: some View {
      NavigationStack {
        Form {
          if !question.message.isEmpty { Text(question.message) }
          if let control = question.control {
            ControlView(control: control, question: question, asking: asking)
          }
          QuestionFields(question: question, asking: asking)
          let problem = asking.problem(question)
          if !problem.isEmpty { Text(problem).foregroundStyle(.red) }
          QuestionButtons(question: question, asking: asking)
        }
        .formStyle(.grouped)
        .navigationTitle(question.title)
        .toolbar {
          ToolbarItem(placement: .cancellationAction) {
            SwiftUI.Button("Dismiss", role: .cancel) { asking.dismiss(question) }
          }
        }
      }
    }
  }

  private struct QuestionFields: View {
    let question: Question
    let asking: Asking

    var body: some View {
      ForEach(question.fields) { field in
        TextField(
          field.hint,
          text: Binding(
            get: { asking.texts(question)[field.id] ?? "" },
            set: { asking.type($0, field.id, question) }))
      }
    }
  }

  private struct QuestionButtons: View {
    let question: Question
    let asking: Asking

    var body: some View {
      ForEach(Array(question.buttons.enumerated()), id: \.offset) { _, choice in
        SwiftUI.Button(choice.title, role: role(choice)) { asking.press(choice, question) }
      }
    }

    private func role(_ choice: Question.Choice) -> ButtonRole? {
      switch choice.role {
      case "destructive": .destructive
      case "cancel": .cancel
      default: nil
      }
    }
  }

  private struct ControlView: View {
    let control: Question.Control
    let question: Question
    let asking: Asking

    var body: some View {
      switch control {
      case .day(let choice):
        DatePicker(
          question.title,
          selection: Binding(
            get: { asking.day(choice, question) }, set: { asking.pick($0, question) }),
          in: choice.range, displayedComponents: .date
        )
        .datePickerStyle(.graphical)
      case .file(let rule):
        FileButton(title: "Choose a file", rule: rule) { asking.take($0, $1, rule, question) }
      case .save(let file): SaveButton(file: file, question: question, asking: asking)
      case .share(let text): ShareLink(item: text)
      case .signIn(let page): SignInButton(page: page, question: question, asking: asking)
      }
    }
  }

  private struct SaveButton: View {
    let file: SavedFile
    let question: Question
    let asking: Asking
    @State private var isExporting = false
    @State private var bytes = Bytes(data: Data())

    var body: some View {
      SwiftUI.Button("Save") {
        Task {
          guard let data = await asking.load(file, question) else { return }
          (bytes, isExporting) = (Bytes(data: data), true)
        }
      }
      .fileExporter(
        isPresented: $isExporting, document: bytes,
        contentType: UTType(mimeType: file.mimeType) ?? .data, defaultFilename: file.name
      ) { result in
        switch result {
        case .success: asking.saved(question)
        case .failure(let error): asking.fail(question, error.localizedDescription)
        }
      }
    }

    struct Bytes: FileDocument {
      static let readableContentTypes = [UTType.data]
      let data: Data

      init(data: Data) { self.data = data }

      init(configuration: ReadConfiguration) throws {
        data = configuration.file.regularFileContents ?? Data()
      }

      func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper {
        FileWrapper(regularFileWithContents: data)
      }
    }
  }

  private struct SignInButton: View {
    let page: SignInPage
    let question: Question
    let asking: Asking
    @Environment(\.webAuthenticationSession) private var browser

    var body: some View {
      SwiftUI.Button("Open") {
        Task {
          guard let url = URL(string: page.url), let callback else { return }
          // Closing the browser leaves the question open.
          let end = try? await browser.authenticate(
            using: url, callback: callback, additionalHeaderFields: [:])
          if let end { asking.signedIn(end.absoluteString, question) }
        }
      }
    }

    private var callback: ASWebAuthenticationSession.Callback? {
      guard let url = URL(string: page.callback), let scheme = url.scheme else { return nil }
      guard scheme == "https", let host = url.host() else { return .customScheme(scheme) }
      return .https(host: host, path: url.path())
    }
  }
#endif
