/// The titles and shelves that come with the app, without bookmarks and progress.
enum BuiltInTitles {
  static let films = records(builtInFilms).map(Movie.init(record:))
  static let dramas = records(builtInDramas).map(TVDrama.init(record:))
  static let hobbies = records(builtInHobbies).map(Hobby.init(record:))

  /// The Korean names and credits, by key.
  static let korean = Dictionary(
    uniqueKeysWithValues: [builtInFilms, builtInDramas, builtInHobbies].flatMap(records).map {
      ($0[0], (name: $0[$0.count - 2], credit: $0[$0.count - 1]))
    })

  static let all: [any LibraryModel] = films + dramas + hobbies

  static let plans: [LibraryContent.Plan] = [
    .init(id: "begun", style: .thumbnail, titles: .begun),
    .init(id: "bookmarked", style: .poster, titles: .bookmarked),
    .init(
      id: "picks", style: .poster,
      titles: .keys([
        "parasite", "in-the-mood-for-love", "pottery", "signal", "pulp-fiction", "reply-1988",
        "baduk",
      ])),
    .init(
      id: "palme-dor", style: .thumbnail,
      titles: .keys(["pulp-fiction", "shoplifters", "parasite"])),
    .init(id: "films", style: .poster, titles: .keys(films.map(\.movieKey))),
    .init(
      id: "dramas", style: .thumbnail, titles: .keys(dramas.map(\.dramaID))),
    .init(
      id: "hobbies", style: .thumbnail, titles: .keys(hobbies.map(\.hobbyID))),
  ]

  /// Splits a table into lines and fields.
  private static func records(_ table: String) -> [[String]] {
    table.split(separator: "\n").map { $0.split(separator: " | ").map(String.init) }
  }
}

/// The video that stands in for every film and drama: twelve seconds of a moon over hills.
package enum SampleFilm {
  package static let path = "film/sample.webm"
  static let uri = "resource:\(path)"
}

extension Movie {
  fileprivate init(record: [String]) {
    self.init(
      movieKey: record[0], movieName: record[1], year: Int(record[2])!, director: record[3],
      runningTime: Int(record[4])!, movieImages: TitleImages(scene: record[1], color: "7799cc"),
      movieStream: SampleFilm.uri)
  }
}

extension TVDrama {
  fileprivate init(record: [String]) {
    self.init(
      dramaID: record[0], dramaTitle: record[1], firstYear: Int(record[2])!, network: record[3],
      episodes: Int(record[4])!, keyVisuals: TitleImages(scene: record[1], color: "cc88aa"),
      dramaStream: SampleFilm.uri)
  }
}

extension Hobby {
  fileprivate init(record: [String]) {
    self.init(
      hobbyID: record[0], activity: record[1], place: Place(rawValue: record[2])!,
      equipment: record[3],
      hobbyImages: TitleImages(scene: record[1], color: "88bb88"))
  }
}

extension TitleImages {
  /// Creates a portrait and a landscape scene with a title's name.
  init(scene name: String, color: String) {
    func scene(_ width: Int, _ height: Int) -> String {
      PosterArt(width: width, height: height, color: color, seed: name, name: name).uri
    }
    self.init(portrait: scene(96, 144), landscape: scene(160, 90))
  }

  /// Returns the same scenes with the name in another language. Pictures from elsewhere stay.
  func named(_ name: String) -> TitleImages {
    func renamed(_ uri: String) -> String {
      guard var art = PosterArt(path: String(uri.dropFirst("resource:".count))) else { return uri }
      art.name = name
      return art.uri
    }
    return TitleImages(portrait: renamed(portrait), landscape: renamed(landscape))
  }
}

/// Films: key, title, year of release, director, minutes, and the title and director in Korean. A
/// string, because an array literal of this size compiles slowly.
private let builtInFilms = """
  citizen-kane | Citizen Kane | 1941 | Orson Welles | 119 | 시민 케인 | 오슨 웰스
  casablanca | Casablanca | 1942 | Michael Curtiz | 102 | 카사블랑카 | 마이클 커티즈
  bicycle-thieves | Bicycle Thieves | 1948 | Vittorio De Sica | 89 | 자전거 도둑 | 비토리오 데 시카
  tokyo-story | Tokyo Story | 1953 | Yasujirō Ozu | 136 | 동경 이야기 | 오즈 야스지로
  seven-samurai | Seven Samurai | 1954 | Akira Kurosawa | 207 | 7인의 사무라이 | 구로사와 아키라
  the-godfather | The Godfather | 1972 | Francis Ford Coppola | 175 | 대부 | 프랜시스 포드 코폴라
  jaws | Jaws | 1975 | Steven Spielberg | 124 | 죠스 | 스티븐 스필버그
  star-wars | Star Wars | 1977 | George Lucas | 121 | 스타워즈 | 조지 루카스
  alien | Alien | 1979 | Ridley Scott | 117 | 에이리언 | 리들리 스콧
  blade-runner | Blade Runner | 1982 | Ridley Scott | 117 | 블레이드 러너 | 리들리 스콧
  pulp-fiction | Pulp Fiction | 1994 | Quentin Tarantino | 154 | 펄프 픽션 | 쿠엔틴 타란티노
  the-matrix | The Matrix | 1999 | Lana and Lilly Wachowski | 136 | 매트릭스 | 라나 워쇼스키, 릴리 워쇼스키
  in-the-mood-for-love | In the Mood for Love | 2000 | Wong Kar-wai | 98 | 화양연화 | 왕가위
  yi-yi | Yi Yi | 2000 | Edward Yang | 173 | 하나 그리고 둘 | 에드워드 양
  crouching-tiger | Crouching Tiger, Hidden Dragon | 2000 | Ang Lee | 120 | 와호장룡 | 이안
  amelie | Amélie | 2001 | Jean-Pierre Jeunet | 123 | 아멜리에 | 장피에르 죄네
  spirited-away | Spirited Away | 2001 | Hayao Miyazaki | 125 | 센과 치히로의 행방불명 | 미야자키 하야오
  memories-of-murder | Memories of Murder | 2003 | Bong Joon-ho | 131 | 살인의 추억 | 봉준호
  oldboy | Oldboy | 2003 | Park Chan-wook | 120 | 올드보이 | 박찬욱
  inception | Inception | 2010 | Christopher Nolan | 148 | 인셉션 | 크리스토퍼 놀란
  mad-max-fury-road | Mad Max: Fury Road | 2015 | George Miller | 120 | 매드 맥스: 분노의 도로 | 조지 밀러
  moonlight | Moonlight | 2016 | Barry Jenkins | 111 | 문라이트 | 배리 젱킨스
  the-handmaiden | The Handmaiden | 2016 | Park Chan-wook | 145 | 아가씨 | 박찬욱
  train-to-busan | Train to Busan | 2016 | Yeon Sang-ho | 118 | 부산행 | 연상호
  burning | Burning | 2018 | Lee Chang-dong | 148 | 버닝 | 이창동
  roma | Roma | 2018 | Alfonso Cuarón | 135 | 로마 | 알폰소 쿠아론
  shoplifters | Shoplifters | 2018 | Hirokazu Kore-eda | 121 | 어느 가족 | 고레에다 히로카즈
  parasite | Parasite | 2019 | Bong Joon-ho | 132 | 기생충 | 봉준호
  """

/// TV dramas: key, title, year of the first broadcast, network, episodes of all seasons, and the
/// title and network in Korean.
private let builtInDramas = """
  the-wire | The Wire | 2002 | HBO | 60 | 더 와이어 | HBO
  winter-sonata | Winter Sonata | 2002 | KBS2 | 20 | 겨울연가 | KBS2
  jewel-in-the-palace | Jewel in the Palace | 2003 | MBC | 54 | 대장금 | MBC
  breaking-bad | Breaking Bad | 2008 | AMC | 62 | 브레이킹 배드 | AMC
  my-love-from-the-star | My Love from the Star | 2013 | SBS | 21 | 별에서 온 그대 | SBS
  reply-1988 | Reply 1988 | 2015 | tvN | 20 | 응답하라 1988 | tvN
  descendants-of-the-sun | Descendants of the Sun | 2016 | KBS2 | 16 | 태양의 후예 | KBS2
  signal | Signal | 2016 | tvN | 16 | 시그널 | tvN
  mr-sunshine | Mr. Sunshine | 2018 | tvN | 24 | 미스터 션샤인 | tvN
  my-mister | My Mister | 2018 | tvN | 16 | 나의 아저씨 | tvN
  sky-castle | Sky Castle | 2018 | JTBC | 20 | SKY 캐슬 | JTBC
  chernobyl | Chernobyl | 2019 | HBO | 5 | 체르노빌 | HBO
  crash-landing-on-you | Crash Landing on You | 2019 | tvN | 16 | 사랑의 불시착 | tvN
  itaewon-class | Itaewon Class | 2020 | JTBC | 16 | 이태원 클라쓰 | JTBC
  extraordinary-attorney-woo | Extraordinary Attorney Woo | 2022 | ENA | 16 | 이상한 변호사 우영우 | ENA
  """

/// Hobbies: key, name, place, equipment, and the name and equipment in Korean.
private let builtInHobbies = """
  astronomy | Amateur Astronomy | Outdoors | A telescope, or the eyes alone | 별 보기 | 망원경, 또는 맨눈
  baduk | Baduk | Indoors | A board of 19 by 19 lines, 361 stones | 바둑 | 19줄 바둑판, 바둑돌 361개
  birdwatching | Birdwatching | Outdoors | Binoculars, a field guide | 탐조 | 쌍안경, 조류 도감
  bouldering | Bouldering | Anywhere | Climbing shoes, chalk, a mat | 볼더링 | 암벽화, 초크, 매트
  calligraphy | Calligraphy | Indoors | A brush, ink, an inkstone, paper | 서예 | 붓, 먹, 벼루, 종이
  chess | Chess | Anywhere | A board, 32 pieces | 체스 | 체스판, 말 32개
  film-photography | Film Photography | Anywhere | A camera, film | 필름 사진 | 카메라, 필름
  gardening | Gardening | Outdoors | Soil, seeds, a trowel | 정원 가꾸기 | 흙, 씨앗, 모종삽
  knitting | Knitting | Anywhere | Two needles, yarn | 뜨개질 | 바늘 두 개, 실
  origami | Origami | Anywhere | Square paper | 종이접기 | 정사각형 색종이
  pottery | Pottery | Indoors | Clay, a wheel, a kiln | 도예 | 점토, 물레, 가마
  sourdough | Sourdough Baking | Indoors | Flour, water, salt, an oven | 사워도우 굽기 | 밀가루, 물, 소금, 오븐
  """
