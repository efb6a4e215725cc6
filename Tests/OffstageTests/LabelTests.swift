import Offstage
import Testing

@Suite struct LabelTests {
  @Test(
    arguments: [
      ("nameText", "Name"), ("placeTapped", "Place"), ("didAppear", "Appear"),
      ("isConfirmEnabled", "Confirm enabled"), ("signUp", "Sign up"), ("retry", "Retry"),
      ("tvShowPicked", "Tv show"), ("imageURL", "Image url"), ("text", "Text"), ("is", "Is"),
      ("location.current", "Location current"), ("rowCount2", "Row count2"), ("", ""),
    ])
  func titlesAreDerivedFromNames(name: String, title: String) {
    #expect(Label(derivedFrom: name).title == title)
  }

  @Test(
    arguments: [
      ("placeDeleted", "Delete place"), ("rowSwiped", "Swipe row"), ("tvShowMoved", "Move tv show"),
      ("placeTapped", "Place"), ("toggled", "Toggled"),
    ])
  func whatIsDoneToARowIsImperative(name: String, title: String) {
    #expect(Label(derivedFrom: name, isAction: true).title == title)
  }

  @Test(
    arguments: [
      PromptDescription.share, .copy, .openURL, .pickFile, .saveFile, .pickDate, .currentLocation,
      .authorizeNotifications, .notificationStatus, .scheduleNotifications, .signIn,
    ] + PromptDescription.builtIn)
  func standardPromptsHaveTitlesInBothLanguages(prompt: PromptDescription) {
    let (english, korean) = (LocalizedLabels(), LocalizedLabels(language: "ko"))
    let isKorean = korean.label("", of: prompt).title.unicodeScalars.contains { $0.value > 0xAC00 }
    let isEnglish = english.label("", of: prompt).title.unicodeScalars.allSatisfy { $0.isASCII }
    #expect(isKorean && isEnglish, "\(prompt.kind)")
  }

  @Test func anAppHasTheLastWordOnPrompts() {
    let labels = LocalizedLabels { key, _ in key == "SharePrompt" ? "Tell a friend" : nil }
    #expect(labels.label("SharePrompt", of: .share).title == "Tell a friend")
    let lend = PromptDescription("lendBook", answer: Bool.self)
    #expect(labels.label("LendBookPrompt", of: lend).title == "Lend book")
  }
}
