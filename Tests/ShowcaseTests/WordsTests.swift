import Offstage
import OffstageJSON
import OffstageTesting
import Testing

@testable import Showcase

@Suite struct FormatTests {
  @Test(
    arguments: [
      ("en", 0, "0 m"), ("en", 350, "350 m"), ("en", 999, "999 m"), ("en", 1000, "1 km"),
      ("en", 1234, "1.2 km"), ("en", 9949, "9.9 km"), ("en", 9950, "10 km"),
      ("en", 12_345_678, "12,346 km"), ("ko-KR", 1234, "1.2km"), ("fr", 1234, "1.2 km"),
      ("en-US", 30, "98 ft"), ("en-US", 160, "525 ft"), ("en-US", 1234, "0.8 mi"),
      ("en-GB", 100, "109 yd"), ("en-GB", 20_000, "12 mi"),
    ] as [(LanguageTag, Int, String)])
  func distanceFollowsTheRegion(_ language: LanguageTag, _ meters: Int, _ text: String) {
    #expect(format(language).distance(meters: meters) == text)
  }

  @Test func sizesHaveOneDecimal() {
    #expect(format("ko").height(decimeters: 7) == "0.7m")
    #expect(format("en").height(decimeters: 20) == "2 m")
    #expect(format("en").weight(hectograms: 9999) == "999.9 kg")
  }

  private func format(_ language: LanguageTag) -> Format {
    Format(
      words: Words(for: language),
      locale: UserLocale(language: language))
  }
}

@Suite struct WordsTests {
  @Test(
    arguments: [
      ("en", "Map"), ("ko", "지도"), ("ko-KR", "지도"), ("ko-Kore-KR", "지도"), ("KO", "지도"),
      ("fr", "Map"), ("zh-Hant", "Map"), ("x-ko", "Map"),
    ] as [(LanguageTag, String)])
  func unknownLanguagesFallBackToEnglish(_ language: LanguageTag, _ map: String) {
    #expect(Words(for: language).title(of: "map") == map)
  }

  @Test(
    arguments: [
      ("준", .copula, "준이에요"), ("미나", .copula, "미나예요"), ("볼트 3", .copula, "볼트 3이에요"),
      ("2", .copula, "2예요"), ("\"에코\"", .copula, "\"에코\"예요"), ("Mina", .copula, "Mina이에요(예요)"),
      ("", .copula, "이에요(예요)"), ("서울특별시청", .direction, "서울특별시청으로"),
      ("서울", .direction, "서울로"), ("대구", .direction, "대구로"), ("국", .object, "국을"),
      ("서울", .object, "서울을"), ("바다", .subject, "바다가"), ("산", .topic, "산은"),
    ] as [(String, Particle, String)])
  func particleFollowsTheLastSyllable(_ word: String, _ particle: Particle, _ text: String) {
    #expect(word.with(particle) == text)
  }

  @Test(arguments: [
    ("pikachu", nil, "Pikachu", "Pikachu"), ("mr-mime-galar", nil, "Mr Mime Galar", "Mr Mime 가라르"),
    ("lucario", PokemonNames(own: ["en": "Lucario", "ko": "루카리오"]), "Lucario", "루카리오"),
    (
      "deoxys-attack",
      PokemonNames(
        own: ["en": "Attack Deoxys"], species: ["en": "Deoxys", "ko": "테오키스"],
        form: ["en": "Attack Forme", "ko": "어택폼"], formID: "attack"),
      "Attack Deoxys", "테오키스 (어택폼)"
    ),
    (
      "lucario-mega",
      PokemonNames(
        own: ["en": "Mega Lucario"], species: ["ko": "루카리오"], form: ["ko": "메가루카리오"],
        formID: "mega"),
      "Mega Lucario", "메가루카리오"
    ),
    (
      "charizard-mega-x",
      PokemonNames(
        own: ["en": "Mega Charizard X"], species: ["ko": "리자몽"], formID: "mega-x"),
      "Mega Charizard X", "리자몽 (메가진화 X)"
    ),
    (
      "miraidon-drive-mode",
      PokemonNames(
        own: [:], species: ["en": "Miraidon", "ko": "미라이돈"], form: ["en": "Drive Mode"],
        formID: "drive-mode"),
      "Miraidon (Drive Mode)", "미라이돈 (Drive Mode)"
    ),
  ])
  func pokemonHaveNames(
    _ id: String, _ names: PokemonNames?, _ english: String, _ korean: String
  ) {
    #expect(Words.english.pokemon(id, names) == english)
    #expect(Words.korean.pokemon(id, names) == korean)
  }

  @Test func placeWithoutANameIsNamedByItsCategoryAndALandmark() {
    var tree = Place(id: 1, name: "", category: "cafe", lat: 0, lng: 0)
    #expect(Words.english.placeName(tree) == "Cafe")
    #expect(Words.korean.placeName(tree) == "카페")
    tree.landmark = Landmark(name: "City Hall", localName: "시청", distance: 99_999)
    #expect(Words.english.placeName(tree) == "Cafe near City Hall")
    #expect(Words.korean.placeName(tree) == "시청 근처 카페")
    tree.landmark?.distance = 240_000
    #expect(Words.english.placeName(tree) == "Cafe 240 km from City Hall")
    #expect(Words.korean.placeName(tree) == "시청에서 240km 떨어진 카페")
    let miles = Format(words: Words.english, locale: UserLocale(language: "en-US"))
    #expect(Words.english.placeName(tree, miles) == "Cafe 149 mi from City Hall")
    tree.landmark?.distance = 0
    tree.category = "other"
    #expect(Words.english.placeName(tree) == "Place near City Hall")
    #expect(Words.korean.placeName(tree) == "시청 근처 장소")
  }

  @Test(arguments: [
    ("Tu-Su 09:00-21:00", "Tue–Sun 09:00–21:00", "화~일 09:00~21:00"),
    (
      "Nov-Feb We-Mo 09:00-17:00; Mar,May 10:00+", "Nov–Feb Wed–Mon 09:00–17:00; Mar, May 10:00+",
      "11월~2월 수~월 09:00~17:00; 3월, 5월 10:00+"
    ),
    ("24/7", "24 hours a day", "24시간"), ("PH off", "public holidays closed", "공휴일 휴무"),
    ("by appointment", "by appointment", "by appointment"), ("", "", ""),
    ("Jun-Aug sunrise-sunset", "Jun–Aug sunrise–sunset", "6월~8월 일출~일몰"),
    // A hyphen is a minus sign in an offset, and where it counts weekdays from the month's end.
    ("sunrise-(sunset-01:00)", "sunrise–(sunset-01:00)", "일출~(일몰-01:00)"),
    ("(sunrise+00:30)-18:00", "(sunrise+00:30)–18:00", "(일출+00:30)~18:00"),
    ("Su[-1],Mo[-2] 10:00-12:00", "Sun[-1], Mon[-2] 10:00–12:00", "일[-1], 월[-2] 10:00~12:00"),
    // Not in the notation.
    (
      "Mo, We by appointment: +82-2-123", "Mo, We by appointment: +82-2-123",
      "Mo, We by appointment: +82-2-123"
    ),
  ])
  func openingHoursAreInWords(_ hours: String, _ english: String, _ korean: String) {
    #expect(Words.english.openingHours.words(for: hours) == english)
    #expect(Words.korean.openingHours.words(for: hours) == korean)
  }

  @Test(arguments: [
    (nil, "theatre", "Theater"), ("US", "convention_centre", "Convention center"),
    ("GB", "convention_centre", "Convention centre"), (nil, "art_museum", "Art museum"),
  ])
  func categoriesAreSpelledForTheRegion(_ region: String?, _ category: String, _ title: String) {
    #expect(Words(.en, region: region).placeCategory(category) == title)
  }

  @Test(arguments: ["en", "ko"] as [LanguageTag])
  func failuresSayWhatHappenedAndWhatToDo(_ language: LanguageTag) {
    let words = Words(for: language)
    let failures =
      LoadFailure.Reason.allCases.map { LoadFailure($0, "", retryable: true) }
      + LoadFailure.Remedy.allCases.map {
        LoadFailure(.storage, "", retryable: true, remedy: $0)
      }
    for attempt in [nil] + Attempt.allCases {
      for each in failures {
        let failure = Failure(each, attempt, words)
        for term in ["SQL", "HTTP", "JSON", "URL", "TLS", "certificate", "database", "null"] {
          #expect(!failure.message.lowercased().contains(term.lowercased()))
        }
        #expect(failure.message.split(separator: ".").count >= (attempt == nil ? 2 : 3))
        #expect(failure.message.isHangul == (language == "ko"))
      }
    }
  }

  @Test func failureIsTranslated() {
    let failure = LoadFailure(.offline, "connection refused", retryable: true)
    let english = Failure(failure, .loadPlaces, Words.english)
    #expect(
      english.message
        == "Couldn't load places. The server can't be reached. Check your internet connection "
        + "and try again.")
    #expect(
      english.translated(Words.korean) == Failure(failure, .loadPlaces, Words.korean))
  }

  /// The runtime derives English labels; Korean ones have to be written.
  @Test @CoreActor func everyScreenAndPortHasAKoreanLabel() throws {
    var missing: [String] = []
    for factory in try CoreBuilder.app(.withResources).screens {
      let screen = try factory.describe(SchemaCatalog())
      let ports = [screen.inputs, screen.outputs, screen.events].joined().map(\.name)
      missing += ([screen.kind] + ports.map { "\(screen.kind).\($0)" }).filter {
        LabelTable.korean[$0] == nil
      }
    }
    #expect(missing == [])
  }

  @Test(arguments: [LabelTable.english, .korean])
  @CoreActor func everyInputThatMayBeDisabledSaysWhy(_ labels: LabelTable) throws {
    var silent: [String] = []
    for factory in try CoreBuilder.app(.withResources).screens {
      let screen = try factory.describe(SchemaCatalog())
      // Front ends show the inputs of a failure or a notice only with it.
      let offered = screen.outputs.flatMap {
        [$0.keywords["x-retry"]].compactMap(\.self) + ($0.keywords["x-actions"]?.array ?? [])
      }
      for input in screen.inputs {
        guard let condition = input.keywords["x-enabledBy"]?.string,
          input.keywords["x-visibleBy"] == nil, !offered.contains(.string(input.name)),
          labels["\(screen.kind).\(condition)"]?.description == nil
        else { continue }
        silent.append("\(screen.kind).\(input.name)")
      }
    }
    #expect(silent == [])
  }

  @Test @CoreActor func everyChoiceAndMemberHasAKoreanTitle() throws {
    let words = LocalizedLabels({ key, _ in LabelTable.korean[key] }, language: "ko")
    let catalog = SchemaCatalog(labels: words)
    for factory in try CoreBuilder.app(.withResources).screens {
      _ = try factory.describe(catalog)
    }
    let titles = catalog.schemas.members.flatMap { name, schema in
      (schema["x-titles"]?.object?.members ?? []).map {
        ("\(name).\($0.key)", $0.value.string ?? "")
      }
    }
    #expect(titles.contains { $0 == ("CompassPoint.northWest", "북서쪽") })
    #expect(titles.contains { $0 == ("PlaceRow.rating", "평점") })
    // A language is called by its own name.
    #expect(titles.filter { !$0.1.isHangul }.map(\.0) == ["LanguageOption.en"])
  }

  @Test(arguments: [
    ("place", "경복궁", "경복궁", "Place"), ("Tokyo Tower", "東京タワー", "Tokyo Tower", "東京タワー"),
  ])
  func koreanNameOfAPlaceIsItsHangulName(
    _ name: String, _ localName: String, _ shown: String, _ other: String
  ) {
    let place = Place(id: 1, name: name, localName: localName, category: "park", lat: 0, lng: 0)
    #expect(Words.korean.placeName(place) == shown)
    #expect(Words.korean.otherPlaceName(place)?.lowercased() == other.lowercased())
    #expect(Words.english.placeName(place) == name)
  }
}

extension Dependencies {
  /// Dependencies for an app whose screens are only described.
  fileprivate static var withResources: Dependencies {
    var dependencies = Dependencies()
    dependencies.set(.resources, to: { _ in nil })
    return dependencies
  }
}

/// A front end that takes over may speak another language: open screens follow.
@Suite @CoreActor struct LateLanguageTests {
  @Test func mapFollowsTheLanguage() async {
    let stage = await MapStage.appeared()
    let markers = stage.map.output.markers.values.count
    stage.core.locale.language = "ko"
    #expect(stage.map.output.sections.values.map(\.title) == ["미술관", "공원"])
    #expect(stage.map.output.markers.values.count == markers)
    stage.core.locale.language = "en"
    #expect(stage.map.output.sections.values.map(\.title) == ["Art museum", "Park"])
  }

  @Test func failureFollowsTheLanguage() async {
    let stage = MapStage()
    stage.map.input.didAppear.send()
    await stage.repository.pages.next().fail(LoadFailure.offline)
    await turns()
    #expect(stage.failures.values.first?.message.isHangul == false)
    #expect(stage.map.output.failure.value?.message.isHangul == false)
    stage.core.locale.language = "ko"
    #expect(stage.map.output.failure.value?.message.isHangul == true)
    // The technical reason is in the log.
    #expect(stage.core.log == ["error: loadPlaces: offline: Nothing answers."])
  }
}

extension Words {
  fileprivate func placeName(_ place: Place) -> String {
    placeName(place, Format(words: self, locale: UserLocale()))
  }
}
