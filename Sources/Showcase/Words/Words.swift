import Offstage
import OffstageWords

/// The app's text in the user's language.
///
/// Each text has its English and its Korean form, so a missing one does not compile. A text with
/// arguments is a function, which forms plurals and attaches particles as its language requires. Labels
/// and the messages of failures are in `LabelTable`.
struct Words: Sendable {
  enum Language: String, Sendable {
    case en
    /// In the polite informal style (해요체) throughout.
    case ko
  }

  let language: Language
  /// The region whose spelling applies in English; nil for the United States, as in CLDR.
  let region: String?

  static let english = Words(.en)
  static let korean = Words(.ko)

  init(_ language: Language, region: String? = nil) {
    (self.language, self.region) = (language, region)
  }

  /// Creates the words for a language, or those in English if the app does not support it.
  init(for tag: LanguageTag) {
    let match = tag.bestMatch(among: Languages.supported)?.language
    self.init(match.flatMap(Language.init) ?? .en, region: tag.region)
  }

  /// The subtag of the language, such as `ko`.
  var code: String { language.rawValue }

  private func pick<Text>(
    _ english: @autoclosure () -> Text, _ korean: @autoclosure () -> Text
  ) -> Text {
    switch language {
    case .en: english()
    case .ko: korean()
    }
  }

  /// Returns the label of a screen (`map`), a port (`map.sortBy`), or a choice
  /// (`PlaceSort.distance`); nil to derive it from the name.
  func label(_ key: String) -> Label? { pick(LabelTable.english[key], LabelTable.korean[key]) }

  // MARK: Buttons

  var ok: String { pick("OK", "확인") }
  var cancel: String { pick("Cancel", "취소") }
  var save: String { pick("Save", "저장") }
  var leave: String { pick("Leave", "나가기") }
  var stay: String { pick("Stay", "머무르기") }

  var yes: String { pick("Yes", "예") }
  var no: String { pick("No", "아니요") }

  // MARK: Alerts

  var error: String { pick("Error", "오류") }
  /// The message for a prompt that the device has refused.
  var deviceRefused: String {
    pick(
      "Your device didn't allow this. Check its settings and try again.",
      "기기에서 허용하지 않았어요. 기기 설정을 확인하고 다시 시도해 주세요.")
  }
  /// The message for a prompt that the device does not support.
  var deviceUnsupported: String {
    pick("This isn't available on your device.", "이 기기에서는 사용할 수 없어요.")
  }

  // MARK: Questions

  var signOut: Question {
    pick(
      Question(
        "Sign out?",
        "Your account stays on this device. Sign up with the same email address to get back in.",
        action: "Sign out"),
      Question(
        "로그아웃할까요?", "계정은 이 기기에 그대로 남아 있어요. 같은 이메일로 가입하면 다시 돌아올 수 있어요.",
        action: "로그아웃"))
  }
  var deleteAccount: Question {
    pick(
      Question(
        "Delete your account?", "This also deletes your avatars, chats, bookmarks, and settings.",
        action: "Delete"),
      Question("계정을 삭제할까요?", "아바타, 채팅, 북마크, 설정도 모두 삭제돼요.", action: "삭제"))
  }
  var clearChat: Question {
    pick(
      Question("Clear this chat?", "All messages in it will be deleted.", action: "Clear"),
      Question("대화 내용을 지울까요?", "이 대화의 메시지가 모두 삭제돼요.", action: "지우기"))
  }
  var discard: Question {
    pick(
      Question("Discard changes?", "Your changes won't be saved.", action: "Discard"),
      Question("변경 사항을 버릴까요?", "입력한 내용은 저장되지 않아요.", action: "버리기"))
  }
  var enablePush: Question {
    pick(
      Question(
        "Enable push notifications?", "We'll send you reminders and updates!", action: "Enable"),
      Question("알림을 켤까요?", "대화할 시간과 새로운 소식을 알려 드릴게요!", action: "켜기"))
  }
  var createAccount: (title: String, subtitle: String) {
    pick(
      ("Create an account?", "Save your avatars and chats to your account."),
      ("계정을 만들까요?", "아바타와 채팅을 내 계정에 저장할 수 있어요."))
  }

  // MARK: Chats

  var noChats: String {
    pick(
      "No chats yet. Pick someone in Explore, and say hello.",
      "아직 대화가 없어요. 둘러보기에서 마음에 드는 상대를 골라 인사해 보세요.")
  }
  func deletedChat(_ name: String) -> String {
    pick("\(name)'s chat was deleted", "\(name) 채팅을 삭제했어요")
  }

  // MARK: Fields

  var nameIsEmpty: String { pick("Enter a name.", "이름을 입력해 주세요.") }
  var emailIsMissing: String { pick("Enter an email address.", "이메일 주소를 입력해 주세요.") }
  func nameIsTooLong(limit: Int) -> String {
    pick("Use at most \(limit) characters.", "\(limit)자 이내로 입력해 주세요.")
  }

  // MARK: Reminders

  var reminder: String { pick("Time to chat", "대화할 시간이에요") }
  /// One text for each of seven days.
  var reminders: [String] {
    pick(
      [
        "Say hello to someone new.", "Your avatars have been waiting.",
        "It's a good day for a chat.", "Ask someone a question.", "There's more to explore.",
        "Someone would like to hear from you.", "It's been a week! How is everyone?",
      ],
      [
        "새로운 친구에게 인사를 건네 보세요.", "아바타들이 기다리고 있어요.", "대화하기 좋은 날이에요.",
        "궁금한 것을 물어보세요.", "아직 둘러볼 것이 많아요.", "누군가 소식을 기다리고 있어요.",
        "벌써 일주일이 지났네요! 다들 잘 지내고 있을까요?",
      ])
  }

  // MARK: The map

  /// What the app is for.
  var welcome: String {
    pick(
      """
      Welcome! Find places around Seoul on this map, chat with characters in Explore, and look through the \
      Pokédex and the library. Everything works offline, and stays on your device.
      """,
      """
      반가워요! 이 지도에서 서울 곳곳을 찾고, 둘러보기에서 캐릭터와 대화하고, 포켓몬 도감과 라이브러리를 구경해 보세요. \
      인터넷 없이도 쓸 수 있고, 모든 내용은 이 기기에만 저장돼요.
      """)
  }
  var noPlaces: String { pick("There are no places here.", "이곳에는 장소가 없어요.") }
  /// Why the map asks for the user's location.
  var locationReason: String {
    pick(
      "To show what is near you, the map needs your location.",
      "가까운 곳을 보여 드리려면 현재 위치가 필요해요.")
  }
  func searchResults(for text: String) -> String {
    pick("Results for “\(text)”", "‘\(text)’ 검색 결과")
  }

  /// Returns the title of a category of places, such as `train_station`.
  func placeCategory(_ id: String) -> String {
    if language == .ko, let title = Self.koreanCategories[id] { return title }
    // OpenStreetMap's categories are in British English.
    let isAmerican = language == .en && [nil, "US"].contains(region)
    let spelling = isAmerican ? ["centre": "center", "theatre": "theater"] : [:]
    let words = id.split(separator: "_").map { spelling[String($0)] ?? String($0) }
    return Self.sentence(words.joined(separator: " "))
  }

  /// Returns the title of a property of a place, such as `opening_hours`.
  func placeProperty(_ id: String) -> String {
    if language == .ko { return Self.koreanProperties[id] ?? Self.sentence(id) }
    if id == "addr:full" { return "Address" }
    if id == "iata" { return "Airport code" }
    let isPart = id.hasPrefix("addr:") || id.hasPrefix("contact:")
    return Self.sentence(isPart ? String(id.drop { $0 != ":" }.dropFirst()) : id)
  }

  var openingHours: OpeningHours { pick(.english, .korean) }

  /// Returns a place's name, or its category and the nearest named place.
  func placeName(_ place: Place, _ format: Format) -> String {
    if language == .ko, let name = place.localName, name.isHangul { return name }
    if !place.name.isEmpty { return place.name }
    let category =
      place.category == "other" ? pick("Place", "장소") : placeCategory(place.category)
    guard let landmark = place.landmark else { return category }
    let korean = landmark.localName.flatMap { $0.isHangul ? $0 : nil } ?? landmark.name
    if landmark.isNear {
      return pick("\(category) near \(landmark.name)", "\(korean) 근처 \(category)")
    }
    let distance = format.distance(meters: landmark.distance)
    return pick(
      "\(category) \(distance) from \(landmark.name)", "\(korean)에서 \(distance) 떨어진 \(category)")
  }

  /// Returns a place's name in another language, if known.
  func otherPlaceName(_ place: Place) -> String? {
    place.localName.map { language == .ko && $0.isHangul ? place.name : $0 }
  }

  /// Turns a name from the data into words: `train_station` becomes `Train station`.
  static func sentence(_ id: String) -> String {
    capitalized(id.split { "_-: ".contains($0) }.joined(separator: " "))
  }

  private static func capitalized(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst()
  }

  // MARK: Avatars

  /// Returns the name and description of a built-in avatar; nil if the data is in this language.
  func avatar(_ id: String) -> (name: String, description: String)? { pick(nil, Avatar.korean[id]) }

  // MARK: Pokémon

  /// Returns one word of a name from the API, such as `mega`.
  func pokemonWord(_ id: String) -> String {
    pick(nil, Self.koreanForms[id]) ?? Self.capitalized(id)
  }
  func pokemonType(_ id: String) -> String { pick(nil, Self.koreanTypes[id]) ?? Self.sentence(id) }
  func generation(_ number: Int) -> String { pick("Generation \(number)", "\(number)세대") }
  /// The title of the forms whose species is unknown.
  var otherForms: String { pick("Other forms", "그 밖의 모습") }

  // MARK: The library

  /// Returns the name and the credit (director, network, or equipment) of a built-in title; nil if
  /// the data is in this language.
  func title(_ key: String) -> (name: String, credit: String)? {
    pick(nil, BuiltInTitles.korean[key])
  }
  var bookmarked: String { pick("Bookmarked", "북마크") }
  func minutes(_ count: Int) -> String { pick("\(count) min", "\(count)분") }
  func minutesLeft(_ count: Int) -> String { pick("\(count) min left", "\(count)분 남음") }
  func episodesLeft(_ count: Int, of all: Int) -> String {
    pick(
      plural(all, one: "\(count) of # episode left", other: "\(count) of # episodes left"),
      "\(all)화 중 \(count)화 남음")
  }

  // MARK: The gallery

  func leaveRoom(_ label: String) -> String { pick("Leave \(label)?", "\(label)에서 나갈까요?") }
  func roomFinished(_ label: String, _ result: String) -> String {
    pick("\(label) finished: \(result)", "\(label) 완료: \(result)")
  }
  func roomDismissed(_ label: String) -> String { pick("\(label) dismissed", "\(label) 닫힘") }
  var nameTheRoom: String { pick("What should it be called?", "어떤 이름으로 할까요?") }
  var name: String { pick("Name", "이름") }

  // MARK: Numbers, dates, and times

  /// Returns a number with the symbol of its unit, such as `km`. From CLDR 46.
  func measure(_ number: String, _ unit: String) -> String {
    pick("\(number) \(unit)", "\(number)\(unit)")
  }
}

extension Words {
  /// Returns the title of a label, or one derived from the last part of the key if there is none.
  func title(of key: String) -> String {
    pick(LabelTable.english.title(of: key), LabelTable.korean.title(of: key))
  }

  /// Returns a sentence that says what failed.
  func failed(_ attempt: Attempt) -> String { title(of: "Attempt.\(attempt)") }
  /// Returns the cause of a failure and what to do, in one or two sentences.
  func advice(_ reason: LoadFailure.Reason) -> String { title(of: "Advice.\(reason)") }
  func advice(_ remedy: LoadFailure.Remedy) -> String { title(of: "Advice.\(remedy)") }
  func category(_ category: AvatarCategory) -> String { title(of: "AvatarCategory.\(category)") }
  func direction(_ direction: CompassPoint) -> String { title(of: "CompassPoint.\(direction)") }
  func place(_ place: Hobby.Place) -> String { title(of: "HobbyPlace.\(place)") }
}

/// A question to confirm an action.
struct Question: Hashable, Sendable {
  let title: String
  let message: String
  /// The title of the button that confirms.
  let action: String

  init(_ title: String, _ message: String, action: String) {
    (self.title, self.message, self.action) = (title, message, action)
  }
}

/// Something that the app tried to do for the user.
enum Attempt: String, CaseIterable, Sendable {
  case loadPlaces, loadPlace, searchPlaces
  case loadAvatars
  case loadChats, loadChat
  case loadPokemonList, loadPokemon, searchPokemon, loadPictures
  case loadLibrary, loadTitle, saveBookmark, saveProgress
  case loadProfile, signUp

  /// True if it loads something that the user chose, such as one place.
  var isChoice: Bool { [.loadPlace, .loadChat, .loadPokemon, .loadTitle].contains(self) }
}

// MARK: Tables

extension Words {
  private static let koreanCategories = [
    "airport": "공항", "amusement_park": "놀이공원", "art_museum": "미술관", "attraction": "명소",
    "bakery": "빵집",
    "bank": "은행", "bar": "바", "bridge": "다리", "bus_terminal": "버스 터미널", "cafe": "카페",
    "church": "성당·교회", "cinema": "영화관", "convention_centre": "컨벤션 센터",
    "department_store": "백화점", "district": "동네", "fortress": "성곽", "garden": "정원",
    "gate": "문", "hospital": "병원", "hotel": "호텔", "island": "섬", "lake": "호수",
    "landmark": "랜드마크", "library": "도서관", "market": "시장", "memorial": "기념관",
    "mosque": "모스크", "mountain": "산", "museum": "박물관·미술관", "other": "기타",
    "palace": "궁궐", "park": "공원", "pharmacy": "약국", "pub": "술집", "restaurant": "음식점",
    "school": "학교", "shopping_mall": "쇼핑몰", "shrine": "사당·제단", "square": "광장",
    "stadium": "경기장", "station": "역", "subway_station": "지하철역", "supermarket": "슈퍼마켓",
    "temple": "사찰", "theatre": "공연장", "tomb": "왕릉·고분", "train_station": "기차역",
    "university": "대학교", "zoo": "동물원",
  ]

  private static let koreanProperties = [
    "address": "주소", "addr:full": "주소", "addr:city": "도시", "addr:housenumber": "건물 번호",
    "addr:postcode": "우편번호",
    "addr:street": "도로명", "category": "분류", "capacity": "수용 인원", "cuisine": "음식 종류",
    "description": "설명", "email": "이메일", "fee": "입장료", "height": "높이", "iata": "공항 코드",
    "internet_access": "인터넷",
    "elevation": "해발 고도", "level": "층", "levels": "층수", "line": "노선", "name": "이름",
    "opening_hours": "영업시간", "operator": "운영 기관",
    "phone": "전화번호", "contact:phone": "전화번호", "contact:email": "이메일", "rating": "평점", "url": "웹사이트",
    "website": "웹사이트", "contact:website": "웹사이트", "wheelchair": "휠체어 이용",
    "wikipedia": "위키백과",
  ]

  /// The forms that PokéAPI does not name in Korean.
  private static let koreanForms = [
    "gmax": "거다이맥스", "mega": "메가진화", "primal": "원시회귀", "totem": "주인", "alola": "알로라",
    "galar": "가라르", "hisui": "히스이", "paldea": "팔데아",
  ]

  private static let koreanTypes = [
    "bug": "벌레", "dark": "악", "dragon": "드래곤", "electric": "전기", "fairy": "페어리",
    "fighting": "격투", "fire": "불꽃", "flying": "비행", "ghost": "고스트", "grass": "풀",
    "ground": "땅", "ice": "얼음", "normal": "노말", "poison": "독", "psychic": "에스퍼",
    "rock": "바위", "steel": "강철", "water": "물",
  ]
}

extension String {
  /// True if the text contains a Hangul syllable.
  package var isHangul: Bool { unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } }
}
