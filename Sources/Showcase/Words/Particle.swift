/// A Korean particle, whose form depends on the sound at the end of the word before it.
package enum Particle: Sendable {
  /// 은 or 는.
  case topic
  /// 이 or 가.
  case subject
  /// 을 or 를.
  case object
  /// 으로 or 로.
  case direction
  /// 이에요 or 예요.
  case copula

  /// The forms after a consonant and after a vowel.
  fileprivate var forms: (consonant: String, vowel: String) {
    switch self {
    case .topic: ("은", "는")
    case .subject: ("이", "가")
    case .object: ("을", "를")
    case .direction: ("으로", "로")
    case .copula: ("이에요", "예요")
    }
  }
}

extension String {
  /// The word with a particle: `서울특별시청으로`. A word that ends in neither Hangul nor a digit gets
  /// both forms, as is customary: `Mina이에요(예요)`.
  package func with(_ particle: Particle) -> String {
    let (consonant, vowel) = particle.forms
    guard let final = finalConsonant else { return "\(self)\(consonant)(\(vowel))" }
    // 으로 is 로 after ㄹ, too.
    let isOpen = final == 0 || particle == .direction && final == 8
    return self + (isOpen ? vowel : consonant)
  }

  /// The number of the last syllable's final consonant in Unicode's order, 0 for none; nil if the
  /// pronunciation is unknown.
  private var finalConsonant: UInt32? {
    // A name may end in quotes or brackets.
    let last = unicodeScalars.last {
      $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    guard let last else { return nil }
    switch last.value {
    case 0xAC00...0xD7A3: return (last.value - 0xAC00) % 28
    // 영 일 이 삼 사 오 육 칠 팔 구
    case 0x30...0x39: return [21, 8, 0, 16, 0, 0, 1, 8, 8, 0][Int(last.value - 0x30)]
    default: return nil
    }
  }
}
