import Offstage

/// Korean, in the polite informal style (해요체) throughout.
struct Korean: Words {
  let code = "ko"

  func label(_ key: String) -> Label? { LabelTable.korean[key] }

  let ok = "확인"
  let cancel = "취소"
  let save = "저장"
  let leave = "나가기"
  let stay = "머무르기"

  let error = "오류"

  let deviceRefused = "기기에서 허용하지 않았어요. 기기 설정을 확인하고 다시 시도해 주세요."
  let deviceUnsupported = "이 기기에서는 사용할 수 없어요."

  let signOut = Question(
    title: "로그아웃할까요?",
    message: "계정은 이 기기에 그대로 남아 있어요. 같은 이메일로 가입하면 다시 돌아올 수 있어요.",
    action: "로그아웃")
  let deleteAccount = Question(
    title: "계정을 삭제할까요?", message: "아바타, 채팅, 북마크, 설정도 모두 삭제돼요.",
    action: "삭제")
  let clearChat = Question(title: "대화 내용을 지울까요?", message: "이 대화의 메시지가 모두 삭제돼요.", action: "지우기")
  let discard = Question(title: "변경 사항을 버릴까요?", message: "입력한 내용은 저장되지 않아요.", action: "버리기")
  let enablePush = Question(title: "알림을 켤까요?", message: "대화할 시간과 새로운 소식을 알려 드릴게요!", action: "켜기")
  let createAccount = (title: "계정을 만들까요?", subtitle: "아바타와 채팅을 내 계정에 저장할 수 있어요.")

  let noChats = "아직 대화가 없어요. 둘러보기에서 마음에 드는 상대를 골라 인사해 보세요."
  func deletedChat(_ name: String) -> String { "\(name) 채팅을 삭제했어요" }

  let nameIsEmpty = "이름을 입력해 주세요."
  let emailIsMissing = "이메일 주소를 입력해 주세요."
  func nameIsTooLong(limit: Int) -> String { "\(limit)자 이내로 입력해 주세요." }

  let reminder = "대화할 시간이에요"
  let reminders = [
    "새로운 친구에게 인사를 건네 보세요.", "아바타들이 기다리고 있어요.", "대화하기 좋은 날이에요.",
    "궁금한 것을 물어보세요.", "아직 둘러볼 것이 많아요.", "누군가 소식을 기다리고 있어요.",
    "벌써 일주일이 지났네요! 다들 잘 지내고 있을까요?",
  ]

  let welcome = """
    반가워요! 이 지도에서 서울 곳곳을 찾고, 둘러보기에서 캐릭터와 대화하고, 포켓몬 도감과 라이브러리를 구경해 보세요. \
    인터넷 없이도 쓸 수 있고, 모든 내용은 이 기기에만 저장돼요.
    """
  let noPlaces = "이곳에는 장소가 없어요."
  let locationReason = "가까운 곳을 보여 드리려면 현재 위치가 필요해요."
  func searchResults(for text: String) -> String { "‘\(text)’ 검색 결과" }
  func placeCategory(_ id: String) -> String { Self.categories[id] ?? English.sentence(id) }
  func placeProperty(_ id: String) -> String { Self.properties[id] ?? English.sentence(id) }
  let openingHours = OpeningHours.korean

  func placeName(_ place: Place, _ format: Format) -> String {
    if let name = place.localName, name.isHangul { return name }
    if !place.name.isEmpty { return place.name }
    let category = place.category == "other" ? "장소" : placeCategory(place.category)
    guard let landmark = place.landmark else { return category }
    let name = landmark.localName.flatMap { $0.isHangul ? $0 : nil } ?? landmark.name
    if landmark.isNear { return "\(name) 근처 \(category)" }
    return "\(name)에서 \(format.distance(meters: landmark.distance)) 떨어진 \(category)"
  }

  func otherPlaceName(_ place: Place) -> String? {
    place.localName.map { $0.isHangul ? place.name : $0 }
  }

  func avatar(_ id: String) -> (name: String, description: String)? { Avatar.korean[id] }

  func pokemonWord(_ id: String) -> String {
    Self.pokemonForms[id] ?? English().pokemonWord(id)
  }
  func pokemonType(_ id: String) -> String { Self.pokemonTypes[id] ?? English.sentence(id) }
  func generation(_ number: Int) -> String { "\(number)세대" }
  let otherForms = "그 밖의 모습"

  func title(_ key: String) -> (name: String, credit: String)? { BuiltInTitles.korean[key] }

  let bookmarked = "북마크"
  let yes = "예"
  let no = "아니요"
  func minutes(_ count: Int) -> String { "\(count)분" }
  func minutesLeft(_ count: Int) -> String { "\(count)분 남음" }
  func episodesLeft(_ count: Int, of all: Int) -> String { "\(all)화 중 \(count)화 남음" }

  func leaveRoom(_ label: String) -> String { "\(label)에서 나갈까요?" }
  func roomFinished(_ label: String, _ result: String) -> String { "\(label) 완료: \(result)" }
  func roomDismissed(_ label: String) -> String { "\(label) 닫힘" }
  let nameTheRoom = "어떤 이름으로 할까요?"
  let name = "이름"

  // CLDR 46, common/main/ko.xml: units.
  func measure(_ number: String, _ unit: String) -> String { "\(number)\(unit)" }

  private static let categories = [
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

  private static let properties = [
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
  private static let pokemonForms = [
    "gmax": "거다이맥스", "mega": "메가진화", "primal": "원시회귀", "totem": "주인", "alola": "알로라",
    "galar": "가라르", "hisui": "히스이", "paldea": "팔데아",
  ]

  private static let pokemonTypes = [
    "bug": "벌레", "dark": "악", "dragon": "드래곤", "electric": "전기", "fairy": "페어리",
    "fighting": "격투", "fire": "불꽃", "flying": "비행", "ghost": "고스트", "grass": "풀",
    "ground": "땅", "ice": "얼음", "normal": "노말", "poison": "독", "psychic": "에스퍼",
    "rock": "바위", "steel": "강철", "water": "물",
  ]
}

extension String {
  /// True if the text contains a Hangul syllable.
  var isHangul: Bool { unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } }
}
