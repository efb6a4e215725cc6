/// The Korean names of the built-in data, by its ids. The data has the English ones.
enum KoreanNames {
  static let avatars = table(avatarTable) { ($0[0], (name: $0[1], description: $0[2])) }

  static let titles = table(titleTable) { ($0[0], (name: $0[1], credit: $0[2])) }

  static let shelves = [
    "begun": "이어서 보기", "bookmarked": "북마크", "picks": "비 오는 주말에",
    "palme-dor": "황금종려상 수상작", "films": "영화", "dramas": "드라마", "hobbies": "취미",
  ]

  /// By National Pokédex number.
  static let pokemon = Dictionary(
    uniqueKeysWithValues: pokemonTable.split { $0 == " " || $0 == "\n" }.enumerated().map {
      ($0 + 1, String($1))
    })

  private static func table<Value>(
    _ text: String, _ entry: ([String]) -> (String, Value)
  ) -> [String: Value] {
    let entries = text.split(separator: "\n").map { line in
      entry(line.split(separator: "|").map(String.init))
    }
    return Dictionary(uniqueKeysWithValues: entries)
  }
}

/// The avatars, a line each: id, name and description.
private let avatarTable = """
  mina|미나|모든 국을 육수부터 차근차근 설명해 주는 서울 할머니.
  luca|루카|사람보다 반죽을 더 진지하게 대하는 나폴리의 피자 장인.
  odile|오딜|세 줄짜리 레시피로 대답하는 파티시에.
  tariq|타리크|냉장고에 남은 재료로 무엇을 만들지 아는 길거리 요리사.
  ingrid|잉그리드|기분마다 어울리는 정박지를 알고 있는 은퇴한 항해사.
  joon|준|비행기 한 번 타지 않는 여행을 짜 주는 야간열차 차장.
  amara|아마라|짐을 싸 주고 절반은 집에 두고 가게 하는 산악 가이드.
  pavel|파벨|프라하에서 바다까지 모든 지름길을 아는 자전거 우편배달부.
  ada|에이다|문제가 쉬워질 때까지 되물어 주는 수학자.
  hideo|히데오|별의 시간에 맞춰 사는 천문학자.
  rosalind|로절린드|부엌을 안전한 실험실처럼 설명해 주는 화학자.
  kofi|코피|식물에게 학명으로 인사하는 식물학자.
  frida|프리다|모든 말에서 색을 보는 화가.
  yusuf|유수프|절반은 리듬으로 대답하는 우드 연주자.
  clara|클라라|모든 침묵에 의견이 있는 피아니스트.
  bori|보리|와 준 것만으로도 기뻐하는 양치기 개.
  misty|미스티|대답할 수도, 안 할 수도 있는 고양이.
  otto|오토|한 번에 여덟 가지 의견을 내는 문어.
  bolt|볼트|자전거와 문장을 고치는 참을성 많은 로봇.
  echo|에코|생각할 시간이 아주 많았던 등대 컴퓨터.
  """

/// The titles, a line each: key, name, and the director, network or equipment.
private let titleTable = """
  citizen-kane|시민 케인|오슨 웰스
  casablanca|카사블랑카|마이클 커티즈
  bicycle-thieves|자전거 도둑|비토리오 데 시카
  tokyo-story|동경 이야기|오즈 야스지로
  seven-samurai|7인의 사무라이|구로사와 아키라
  the-godfather|대부|프랜시스 포드 코폴라
  jaws|죠스|스티븐 스필버그
  star-wars|스타워즈|조지 루카스
  alien|에이리언|리들리 스콧
  blade-runner|블레이드 러너|리들리 스콧
  pulp-fiction|펄프 픽션|쿠엔틴 타란티노
  the-matrix|매트릭스|라나 워쇼스키, 릴리 워쇼스키
  in-the-mood-for-love|화양연화|왕가위
  yi-yi|하나 그리고 둘|에드워드 양
  crouching-tiger|와호장룡|이안
  amelie|아멜리에|장피에르 죄네
  spirited-away|센과 치히로의 행방불명|미야자키 하야오
  memories-of-murder|살인의 추억|봉준호
  oldboy|올드보이|박찬욱
  inception|인셉션|크리스토퍼 놀란
  mad-max-fury-road|매드 맥스: 분노의 도로|조지 밀러
  moonlight|문라이트|배리 젱킨스
  the-handmaiden|아가씨|박찬욱
  train-to-busan|부산행|연상호
  burning|버닝|이창동
  roma|로마|알폰소 쿠아론
  shoplifters|어느 가족|고레에다 히로카즈
  parasite|기생충|봉준호
  the-wire|더 와이어|HBO
  winter-sonata|겨울연가|KBS2
  jewel-in-the-palace|대장금|MBC
  breaking-bad|브레이킹 배드|AMC
  my-love-from-the-star|별에서 온 그대|SBS
  reply-1988|응답하라 1988|tvN
  descendants-of-the-sun|태양의 후예|KBS2
  signal|시그널|tvN
  mr-sunshine|미스터 션샤인|tvN
  my-mister|나의 아저씨|tvN
  sky-castle|SKY 캐슬|JTBC
  chernobyl|체르노빌|HBO
  crash-landing-on-you|사랑의 불시착|tvN
  itaewon-class|이태원 클라쓰|JTBC
  extraordinary-attorney-woo|이상한 변호사 우영우|ENA
  astronomy|별 보기|망원경, 또는 맨눈
  baduk|바둑|19줄 바둑판, 바둑돌 361개
  birdwatching|탐조|쌍안경, 조류 도감
  bouldering|볼더링|암벽화, 초크, 매트
  calligraphy|서예|붓, 먹, 벼루, 종이
  chess|체스|체스판, 말 32개
  film-photography|필름 사진|카메라, 필름
  gardening|정원 가꾸기|흙, 씨앗, 모종삽
  knitting|뜨개질|바늘 두 개, 실
  origami|종이접기|정사각형 색종이
  pottery|도예|점토, 물레, 가마
  sourdough|사워도우 굽기|밀가루, 물, 소금, 오븐
  """

/// The first 151 Pokémon in the order of their numbers, as the games name them.
private let pokemonTable = """
  이상해씨 이상해풀 이상해꽃 파이리 리자드 리자몽 꼬부기 어니부기 거북왕 캐터피 단데기 버터플 뿔충이
  딱충이 독침붕 구구 피죤 피죤투 꼬렛 레트라 깨비참 깨비드릴조 아보 아보크 피카츄 라이츄 모래두지 고지
  니드런♀ 니드리나 니드퀸 니드런♂ 니드리노 니드킹 삐삐 픽시 식스테일 나인테일 푸린 푸크린 주뱃 골뱃
  뚜벅쵸 냄새꼬 라플레시아 파라스 파라섹트 콘팡 도나리 디그다 닥트리오 나옹 페르시온 고라파덕 골덕 망키
  성원숭 가디 윈디 발챙이 슈륙챙이 강챙이 캐이시 윤겔라 후딘 알통몬 근육몬 괴력몬 모다피 우츠동 우츠보트
  왕눈해 독파리 꼬마돌 데구리 딱구리 포니타 날쌩마 야돈 야도란 코일 레어코일 파오리 두두 두트리오 쥬쥬
  쥬레곤 질퍽이 질뻐기 셀러 파르셀 고오스 고우스트 팬텀 롱스톤 슬리프 슬리퍼 크랩 킹크랩 찌리리공 붐볼
  아라리 나시 탕구리 텅구리 시라소몬 홍수몬 내루미 또가스 또도가스 뿔카노 코뿌리 럭키 덩쿠리 캥카 쏘드라
  시드라 콘치 왕콘치 별가사리 아쿠스타 마임맨 스라크 루주라 에레브 마그마 쁘사이저 켄타로스 잉어킹 갸라도스
  라프라스 메타몽 이브이 샤미드 쥬피썬더 부스터 폴리곤 암나이트 암스타 투구 투구푸스 프테라 잠만보 프리져
  썬더 파이어 미뇽 신뇽 망나뇽 뮤츠 뮤
  """
