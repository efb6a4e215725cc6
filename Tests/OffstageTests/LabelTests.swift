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
}
