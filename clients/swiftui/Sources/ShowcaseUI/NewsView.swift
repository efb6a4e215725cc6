#if canImport(SwiftUI)
  import OffstageClient
  import SwiftUI

  /// The messages of events. Most of them pass after some seconds.
  struct NewsView: View {
    let news: News

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
      .task(id: news.passing?.id) {
        guard let message = news.passing, (try? await Task.sleep(for: .seconds(5))) != nil else {
          return
        }
        news.remove(message)
      }
    }
  }
#endif
