extension Pokemon {
  /// The first 151 Pokémon in order: number `n` is at index `n - 1`.
  package static let builtIn = builtInPokemonRows.map(Pokemon.init(row:))

  /// Creates a Pokémon from a row. A malformed row traps in the first test that uses the table.
  private init(row: [String]) {
    let types = row[2].split(separator: "/").map(String.init)
    let id = Int(row[0])!
    let entry = PokemonEntry(
      id: id, name: row[1], names: Self.names(row[1], korean: row[5]),
      imageURL: Tile.pokemon(id, type: types[0]))
    self.init(entry, types: types, height: Int(row[3])!, weight: Int(row[4])!)
  }

  private static func names(_ id: String, korean: String) -> PokemonNames {
    let irregular = [
      "nidoran-f": "Nidoran♀", "nidoran-m": "Nidoran♂", "farfetchd": "Farfetch'd",
      "mr-mime": "Mr. Mime",
    ]
    return PokemonNames(own: ["en": irregular[id] ?? Words.english.pokemonWord(id), "ko": korean])
  }
}

extension Tile {
  /// Returns the URI of a tile with the number on the color of the first type.
  fileprivate static func pokemon(_ number: Int, type: String) -> String {
    let digits = String(number)
    let label = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    let color = typeColors[type] ?? "dddddd"
    return Tile(color: color, isMonospaced: true, fontSize: 32, lines: [label]).uri
  }

  private static let typeColors = [
    "normal": "bbbbaa", "fire": "ff8855", "water": "66aaff", "electric": "ffdd44",
    "grass": "88cc66", "ice": "88ddee", "fighting": "dd8877", "poison": "cc88cc",
    "ground": "ddbb66", "flying": "aabbff", "psychic": "ff88aa", "bug": "bbcc44",
    "rock": "ccbb88", "ghost": "a99ad0", "dragon": "9988ff", "dark": "aa9988",
    "steel": "bbbbcc", "fairy": "ffaaee",
  ]
}

private let builtInPokemonRows = builtInPokemonTable.split(separator: "\n").map {
  $0.split(separator: " ").map(String.init)
}

/// The first 151 Pokémon, as in PokéAPI v2: National Pokédex number, name, types in slot order,
/// height in decimeters, weight in hectograms, and the Korean name from the games.
///
/// Taken from `data/v2/csv` of github.com/PokeAPI/pokeapi. Types are those of the current
/// generation, so Clefairy is a fairy. A string, because an array literal of this size compiles
/// slowly.
private let builtInPokemonTable = """
  1 bulbasaur grass/poison 7 69 이상해씨
  2 ivysaur grass/poison 10 130 이상해풀
  3 venusaur grass/poison 20 1000 이상해꽃
  4 charmander fire 6 85 파이리
  5 charmeleon fire 11 190 리자드
  6 charizard fire/flying 17 905 리자몽
  7 squirtle water 5 90 꼬부기
  8 wartortle water 10 225 어니부기
  9 blastoise water 16 855 거북왕
  10 caterpie bug 3 29 캐터피
  11 metapod bug 7 99 단데기
  12 butterfree bug/flying 11 320 버터플
  13 weedle bug/poison 3 32 뿔충이
  14 kakuna bug/poison 6 100 딱충이
  15 beedrill bug/poison 10 295 독침붕
  16 pidgey normal/flying 3 18 구구
  17 pidgeotto normal/flying 11 300 피죤
  18 pidgeot normal/flying 15 395 피죤투
  19 rattata normal 3 35 꼬렛
  20 raticate normal 7 185 레트라
  21 spearow normal/flying 3 20 깨비참
  22 fearow normal/flying 12 380 깨비드릴조
  23 ekans poison 20 69 아보
  24 arbok poison 35 650 아보크
  25 pikachu electric 4 60 피카츄
  26 raichu electric 8 300 라이츄
  27 sandshrew ground 6 120 모래두지
  28 sandslash ground 10 295 고지
  29 nidoran-f poison 4 70 니드런♀
  30 nidorina poison 8 200 니드리나
  31 nidoqueen poison/ground 13 600 니드퀸
  32 nidoran-m poison 5 90 니드런♂
  33 nidorino poison 9 195 니드리노
  34 nidoking poison/ground 14 620 니드킹
  35 clefairy fairy 6 75 삐삐
  36 clefable fairy 13 400 픽시
  37 vulpix fire 6 99 식스테일
  38 ninetales fire 11 199 나인테일
  39 jigglypuff normal/fairy 5 55 푸린
  40 wigglytuff normal/fairy 10 120 푸크린
  41 zubat poison/flying 8 75 주뱃
  42 golbat poison/flying 16 550 골뱃
  43 oddish grass/poison 5 54 뚜벅쵸
  44 gloom grass/poison 8 86 냄새꼬
  45 vileplume grass/poison 12 186 라플레시아
  46 paras bug/grass 3 54 파라스
  47 parasect bug/grass 10 295 파라섹트
  48 venonat bug/poison 10 300 콘팡
  49 venomoth bug/poison 15 125 도나리
  50 diglett ground 2 8 디그다
  51 dugtrio ground 7 333 닥트리오
  52 meowth normal 4 42 나옹
  53 persian normal 10 320 페르시온
  54 psyduck water 8 196 고라파덕
  55 golduck water 17 766 골덕
  56 mankey fighting 5 280 망키
  57 primeape fighting 10 320 성원숭
  58 growlithe fire 7 190 가디
  59 arcanine fire 19 1550 윈디
  60 poliwag water 6 124 발챙이
  61 poliwhirl water 10 200 슈륙챙이
  62 poliwrath water/fighting 13 540 강챙이
  63 abra psychic 9 195 캐이시
  64 kadabra psychic 13 565 윤겔라
  65 alakazam psychic 15 480 후딘
  66 machop fighting 8 195 알통몬
  67 machoke fighting 15 705 근육몬
  68 machamp fighting 16 1300 괴력몬
  69 bellsprout grass/poison 7 40 모다피
  70 weepinbell grass/poison 10 64 우츠동
  71 victreebel grass/poison 17 155 우츠보트
  72 tentacool water/poison 9 455 왕눈해
  73 tentacruel water/poison 16 550 독파리
  74 geodude rock/ground 4 200 꼬마돌
  75 graveler rock/ground 10 1050 데구리
  76 golem rock/ground 14 3000 딱구리
  77 ponyta fire 10 300 포니타
  78 rapidash fire 17 950 날쌩마
  79 slowpoke water/psychic 12 360 야돈
  80 slowbro water/psychic 16 785 야도란
  81 magnemite electric/steel 3 60 코일
  82 magneton electric/steel 10 600 레어코일
  83 farfetchd normal/flying 8 150 파오리
  84 doduo normal/flying 14 392 두두
  85 dodrio normal/flying 18 852 두트리오
  86 seel water 11 900 쥬쥬
  87 dewgong water/ice 17 1200 쥬레곤
  88 grimer poison 9 300 질퍽이
  89 muk poison 12 300 질뻐기
  90 shellder water 3 40 셀러
  91 cloyster water/ice 15 1325 파르셀
  92 gastly ghost/poison 13 1 고오스
  93 haunter ghost/poison 16 1 고우스트
  94 gengar ghost/poison 15 405 팬텀
  95 onix rock/ground 88 2100 롱스톤
  96 drowzee psychic 10 324 슬리프
  97 hypno psychic 16 756 슬리퍼
  98 krabby water 4 65 크랩
  99 kingler water 13 600 킹크랩
  100 voltorb electric 5 104 찌리리공
  101 electrode electric 12 666 붐볼
  102 exeggcute grass/psychic 4 25 아라리
  103 exeggutor grass/psychic 20 1200 나시
  104 cubone ground 4 65 탕구리
  105 marowak ground 10 450 텅구리
  106 hitmonlee fighting 15 498 시라소몬
  107 hitmonchan fighting 14 502 홍수몬
  108 lickitung normal 12 655 내루미
  109 koffing poison 6 10 또가스
  110 weezing poison 12 95 또도가스
  111 rhyhorn ground/rock 10 1150 뿔카노
  112 rhydon ground/rock 19 1200 코뿌리
  113 chansey normal 11 346 럭키
  114 tangela grass 10 350 덩쿠리
  115 kangaskhan normal 22 800 캥카
  116 horsea water 4 80 쏘드라
  117 seadra water 12 250 시드라
  118 goldeen water 6 150 콘치
  119 seaking water 13 390 왕콘치
  120 staryu water 8 345 별가사리
  121 starmie water/psychic 11 800 아쿠스타
  122 mr-mime psychic/fairy 13 545 마임맨
  123 scyther bug/flying 15 560 스라크
  124 jynx ice/psychic 14 406 루주라
  125 electabuzz electric 11 300 에레브
  126 magmar fire 13 445 마그마
  127 pinsir bug 15 550 쁘사이저
  128 tauros normal 14 884 켄타로스
  129 magikarp water 9 100 잉어킹
  130 gyarados water/flying 65 2350 갸라도스
  131 lapras water/ice 25 2200 라프라스
  132 ditto normal 3 40 메타몽
  133 eevee normal 3 65 이브이
  134 vaporeon water 10 290 샤미드
  135 jolteon electric 8 245 쥬피썬더
  136 flareon fire 9 250 부스터
  137 porygon normal 8 365 폴리곤
  138 omanyte rock/water 4 75 암나이트
  139 omastar rock/water 10 350 암스타
  140 kabuto rock/water 5 115 투구
  141 kabutops rock/water 13 405 투구푸스
  142 aerodactyl rock/flying 18 590 프테라
  143 snorlax normal 21 4600 잠만보
  144 articuno ice/flying 17 554 프리져
  145 zapdos electric/flying 16 526 썬더
  146 moltres fire/flying 20 600 파이어
  147 dratini dragon 18 33 미뇽
  148 dragonair dragon 40 165 신뇽
  149 dragonite dragon/flying 22 2100 망나뇽
  150 mewtwo psychic 20 1220 뮤츠
  151 mew psychic 4 40 뮤
  """
