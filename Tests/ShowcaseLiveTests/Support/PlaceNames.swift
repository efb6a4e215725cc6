import Offstage

@testable import Showcase

extension Words {
  func placeName(_ place: Place) -> String {
    placeName(place, Format(words: self, locale: UserLocale()))
  }
}
