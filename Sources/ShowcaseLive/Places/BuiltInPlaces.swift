import Showcase

/// Places in and around Seoul that come with the app.
enum BuiltInPlaces {
  /// IDs count up from 1 in the order of the table.
  static let all: [Place] = details.map(\.place)

  /// The properties by place ID.
  static let properties = Dictionary(
    uniqueKeysWithValues: details.map { ($0.place.id, $0.properties) })

  private static let details =
    builtInPlaceTable.split(separator: "\n").enumerated().map { PlaceDetails(id: $0 + 1, line: $1) }
}

extension PlaceDetails {
  /// Parses a line of the table.
  fileprivate init(id: Int, line: Substring) {
    let fields = line.split(separator: "|").map(String.init)
    let place = Place(
      id: id, name: fields[3], localName: fields[4], category: fields[2], lat: Double(fields[0])!,
      lng: Double(fields[1])!, rating: Self.sampleRating(of: fields[3]))
    let properties = fields.dropFirst(5).map { field in
      let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
      return PlaceProperty(name: parts[0], value: parts[1])
    }
    self.init(place, properties: properties)
  }

  /// A made-up rating from 3.5 to 5, derived from the name, so that sorting has data to sort by.
  private static func sampleRating(of name: String) -> Double {
    let sum = name.utf8.reduce(UInt64(7)) { ($0 &* 31 &+ UInt64($1)) % 1_000_003 }
    return Double(35 + sum % 16) / 10
  }
}

/// Places in and around Seoul: latitude, longitude, category, name, the name in Korean, and
/// `property=value` in the order to show them.
///
/// Coordinates are WGS 84, accurate to about 100 meters for buildings and gates and to a few
/// hundred for the centers of areas. Stations were compared with published data. Properties are
/// only what rarely changes: street addresses, websites, lines, elevations above sea level, and the
/// regular hours of the palaces; names and opening hours are in OpenStreetMap's notation. The table
/// is a string because an array literal of this size compiles slowly.
private let builtInPlaceTable = """
  37.5798|126.9770|palace|Gyeongbokgung Palace|경복궁|address=161 Sajik-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 사직로 161|website=https://royal.khs.go.kr|opening_hours=Nov-Feb We-Mo 09:00-17:00; Mar-May,Sep-Oct We-Mo 09:00-18:00; Jun-Aug We-Mo 09:00-18:30
  37.5794|126.9910|palace|Changdeokgung Palace|창덕궁|address=99 Yulgok-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 율곡로 99|website=https://royal.khs.go.kr|opening_hours=Nov-Jan Tu-Su 09:00-17:30; Feb-May,Sep-Oct Tu-Su 09:00-18:00; Jun-Aug Tu-Su 09:00-18:30
  37.5788|126.9950|palace|Changgyeonggung Palace|창경궁|address=185 Changgyeonggung-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 창경궁로 185|website=https://royal.khs.go.kr|opening_hours=Tu-Su 09:00-21:00
  37.5658|126.9752|palace|Deoksugung Palace|덕수궁|address=99 Sejong-daero, Jung-gu, Seoul|address:ko=서울특별시 중구 세종대로 99|website=https://royal.khs.go.kr|opening_hours=Tu-Su 09:00-21:00
  37.5714|126.9682|palace|Gyeonghuigung Palace|경희궁|address=45 Saemunan-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 새문안로 45
  37.5746|126.9941|shrine|Jongmyo Shrine|종묘|address=157 Jong-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 종로 157|website=https://royal.khs.go.kr
  37.5758|126.9681|shrine|Sajikdan Altar|사직단
  37.5760|126.9870|palace|Unhyeongung|운현궁|address=464 Samil-daero, Jongno-gu, Seoul|address:ko=서울특별시 종로구 삼일대로 464
  37.5867|126.9748|landmark|Cheong Wa Dae|청와대|address=1 Cheongwadae-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 청와대로 1
  37.5759|126.9769|gate|Gwanghwamun Gate|광화문|address=161 Sajik-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 사직로 161
  37.5600|126.9753|gate|Sungnyemun Gate|숭례문|address=40 Sejong-daero, Jung-gu, Seoul|address:ko=서울특별시 중구 세종대로 40
  37.5711|127.0096|gate|Heunginjimun Gate|흥인지문|address=288 Jong-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 종로 288
  37.5926|126.9665|gate|Changuimun Gate|창의문
  37.5724|126.9595|gate|Dongnimmun Gate|독립문
  37.5512|126.9882|landmark|N Seoul Tower|N서울타워|address=105 Namsangongwon-gil, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 남산공원길 105|height=236 m
  37.5126|127.1025|landmark|Lotte World Tower|롯데월드타워|address=300 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 300|website=https://www.lwt.co.kr|height=555 m|levels=123
  37.5198|126.9404|landmark|63 Building|63빌딩|address=50 63-ro, Yeongdeungpo-gu, Seoul|address:ko=서울특별시 영등포구 63로 50|height=249 m
  37.5665|126.9780|landmark|Seoul City Hall|서울특별시청|address=110 Sejong-daero, Jung-gu, Seoul|address:ko=서울특별시 중구 세종대로 110|website=https://www.seoul.go.kr
  37.5319|126.9140|landmark|National Assembly Building|국회의사당|address=1 Uisadang-daero, Yeongdeungpo-gu, Seoul|address:ko=서울특별시 영등포구 의사당대로 1|website=https://www.assembly.go.kr
  37.5669|127.0095|landmark|Dongdaemun Design Plaza|동대문디자인플라자|address=281 Eulji-ro, Jung-gu, Seoul|address:ko=서울특별시 중구 을지로 281|website=https://ddp.or.kr
  37.5698|126.9783|square|Cheonggye Plaza|청계광장
  37.5724|126.9769|square|Gwanghwamun Square|광화문광장
  37.5655|126.9780|square|Seoul Plaza|서울광장
  37.5240|126.9803|museum|National Museum of Korea|국립중앙박물관|address=137 Seobinggo-ro, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 서빙고로 137|website=https://www.museum.go.kr
  37.5817|126.9790|museum|National Folk Museum of Korea|국립민속박물관|address=37 Samcheong-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 삼청로 37|website=https://www.nfm.go.kr
  37.5766|126.9750|museum|National Palace Museum of Korea|국립고궁박물관|address=12 Hyoja-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 효자로 12|website=https://www.gogung.go.kr|fee=no
  37.5366|126.9771|museum|War Memorial of Korea|전쟁기념관|address=29 Itaewon-ro, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 이태원로 29|website=https://www.warmemo.or.kr|fee=no
  37.5706|126.9705|museum|Seoul Museum of History|서울역사박물관|address=55 Saemunan-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 새문안로 55|website=https://museum.seoul.go.kr|fee=no
  37.5210|126.9810|museum|National Hangeul Museum|국립한글박물관|address=139 Seobinggo-ro, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 서빙고로 139|website=https://www.hangeul.go.kr
  37.5743|126.9562|museum|Seodaemun Prison History Hall|서대문형무소역사관|address=251 Tongil-ro, Seodaemun-gu, Seoul|address:ko=서울특별시 서대문구 통일로 251|fee=yes
  37.5739|126.9780|museum|National Museum of Korean Contemporary History|대한민국역사박물관|address=198 Sejong-daero, Jongno-gu, Seoul|address:ko=서울특별시 종로구 세종대로 198|website=https://www.much.go.kr|fee=no
  37.5386|126.9990|museum|Leeum Museum of Art|리움미술관|address=60-16 Itaewon-ro 55-gil, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 이태원로55길 60-16|website=https://www.leeumhoam.org
  37.5786|126.9800|museum|National Museum of Modern and Contemporary Art, Seoul|국립현대미술관 서울관|address=30 Samcheong-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 삼청로 30|website=https://www.mmca.go.kr
  37.5641|126.9738|museum|Seoul Museum of Art|서울시립미술관|address=61 Deoksugung-gil, Jung-gu, Seoul|address:ko=서울특별시 중구 덕수궁길 61|website=https://sema.seoul.go.kr
  37.4311|127.0203|museum|National Museum of Modern and Contemporary Art, Gwacheon|국립현대미술관 과천관|address=313 Gwangmyeong-ro, Gwacheon-si, Gyeonggi-do|address:ko=경기도 과천시 광명로 313|website=https://www.mmca.go.kr
  37.4380|127.0055|museum|Gwacheon National Science Museum|국립과천과학관|address=110 Sanghabeol-ro, Gwacheon-si, Gyeonggi-do|address:ko=경기도 과천시 상하벌로 110|website=https://www.sciencecenter.go.kr
  37.5511|126.9910|park|Namsan Park|남산공원
  37.5444|127.0374|park|Seoul Forest|서울숲
  37.5207|127.1216|park|Olympic Park|올림픽공원|address=424 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 424
  37.5280|126.9330|park|Yeouido Hangang Park|여의도한강공원
  37.5105|126.9956|park|Banpo Hangang Park|반포한강공원
  37.5293|127.0700|park|Ttukseom Hangang Park|뚝섬한강공원
  37.5689|126.8853|park|Haneul Park|하늘공원
  37.5720|126.8770|park|Noeul Park|노을공원
  37.5700|126.8840|park|World Cup Park|월드컵공원
  37.5495|127.0817|park|Children's Grand Park|서울어린이대공원
  37.5434|126.8998|park|Seonyudo Park|선유도공원
  37.5710|126.9884|park|Tapgol Park|탑골공원
  37.5805|127.0073|park|Naksan Park|낙산공원
  37.6216|127.0417|park|Dream Forest|북서울꿈의숲
  37.5260|126.9224|park|Yeouido Park|여의도공원
  37.4712|127.0352|park|Yangjae Citizen's Forest|양재시민의숲
  37.4930|126.9180|park|Boramae Park|보라매공원
  37.5568|126.9700|park|Seoullo 7017|서울로7017
  37.5447|126.9613|park|Hyochang Park|효창공원
  37.5243|127.0352|park|Dosan Park|도산공원
  37.5694|126.8350|garden|Seoul Botanic Park|서울식물원|address=161 Magokdong-ro, Gangseo-gu, Seoul|address:ko=서울특별시 강서구 마곡동로 161|website=https://botanicpark.seoul.go.kr
  37.5227|126.9880|park|Yongsan Family Park|용산가족공원
  37.4273|127.0170|zoo|Seoul Grand Park|서울대공원|address=102 Daegongwongwangjang-ro, Gwacheon-si, Gyeonggi-do|address:ko=경기도 과천시 대공원광장로 102|website=https://grandpark.seoul.go.kr
  37.4340|127.0200|amusement_park|Seoul Land|서울랜드|address=181 Gwangmyeong-ro, Gwacheon-si, Gyeonggi-do|address:ko=경기도 과천시 광명로 181|website=https://www.seoulland.co.kr
  37.5111|127.0980|amusement_park|Lotte World|롯데월드|address=240 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 240|website=https://adventure.lotteworld.com
  37.2939|127.2026|amusement_park|Everland|에버랜드|address=199 Everland-ro, Pogok-eup, Cheoin-gu, Yongin-si, Gyeonggi-do|address:ko=경기도 용인시 처인구 포곡읍 에버랜드로 199|website=https://www.everland.com
  37.5595|126.9774|market|Namdaemun Market|남대문시장
  37.5701|126.9996|market|Gwangjang Market|광장시장|address=88 Changgyeonggung-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 창경궁로 88
  37.5148|126.9406|market|Noryangjin Fish Market|노량진수산시장|address=674 Nodeul-ro, Dongjak-gu, Seoul|address:ko=서울특별시 동작구 노들로 674
  37.5805|127.0393|market|Gyeongdong Market|경동시장
  37.5559|126.9055|market|Mangwon Market|망원시장
  37.5806|126.9700|market|Tongin Market|통인시장
  37.4925|127.1110|market|Garak Market|가락시장
  37.5706|127.0093|market|Dongdaemun Shopping Complex|동대문종합시장
  37.5730|127.0253|market|Seoul Folk Flea Market|서울풍물시장
  37.5636|126.9829|district|Myeong-dong|명동
  37.5742|126.9850|district|Insa-dong|인사동
  37.5826|126.9831|district|Bukchon Hanok Village|북촌한옥마을
  37.5743|126.9897|district|Ikseon-dong Hanok Village|익선동한옥거리
  37.5593|126.9945|district|Namsangol Hanok Village|남산골한옥마을
  37.6416|126.9380|district|Eunpyeong Hanok Village|은평한옥마을
  37.5345|126.9946|district|Itaewon|이태원
  37.5205|127.0228|district|Garosu-gil|가로수길
  37.5563|126.9236|district|Hongdae Street|홍대거리
  37.5117|127.0590|shopping_mall|Starfield COEX Mall|스타필드 코엑스몰|address=513 Yeongdong-daero, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 영동대로 513
  37.5170|126.9034|shopping_mall|Times Square|타임스퀘어
  37.5258|126.9284|shopping_mall|The Hyundai Seoul|더현대 서울|address=108 Yeoui-daero, Yeongdeungpo-gu, Seoul|address:ko=서울특별시 영등포구 여의대로 108
  37.5609|126.9810|department_store|Shinsegae Main Store|신세계백화점 본점|address=63 Sogong-ro, Jung-gu, Seoul|address:ko=서울특별시 중구 소공로 63
  37.5648|126.9816|department_store|Lotte Department Store Main Store|롯데백화점 본점|address=81 Namdaemun-ro, Jung-gu, Seoul|address:ko=서울특별시 중구 남대문로 81
  37.5285|127.0401|department_store|Galleria Luxury Hall|갤러리아백화점 명품관
  37.5049|127.0043|department_store|Shinsegae Gangnam|신세계백화점 강남점|address=176 Sinbanpo-ro, Seocho-gu, Seoul|address:ko=서울특별시 서초구 신반포로 176
  37.5299|126.9648|shopping_mall|I'Park Mall|아이파크몰
  37.5119|127.0592|convention_centre|COEX|코엑스|address=513 Yeongdong-daero, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 영동대로 513
  37.6690|126.7460|convention_centre|KINTEX|킨텍스|address=217-60 Kintex-ro, Ilsanseo-gu, Goyang-si, Gyeonggi-do|address:ko=경기도 고양시 일산서구 킨텍스로 217-60|website=https://www.kintex.com
  37.5555|126.9707|train_station|Seoul Station|서울역|address=405 Hangang-daero, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 한강대로 405
  37.5299|126.9648|train_station|Yongsan Station|용산역|address=55 Hangang-daero 23-gil, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 한강대로23길 55
  37.5157|126.9077|train_station|Yeongdeungpo Station|영등포역
  37.5803|127.0470|train_station|Cheongnyangni Station|청량리역
  37.4874|127.1012|train_station|Suseo Station|수서역
  37.4165|126.8847|train_station|Gwangmyeong Station|광명역
  37.2660|127.0002|train_station|Suwon Station|수원역
  37.5657|126.9770|subway_station|City Hall Station|시청역|line=1, 2|line:ko=1호선, 2호선
  37.4979|127.0276|subway_station|Gangnam Station|강남역|line=2, Shinbundang|line:ko=2호선, 신분당선
  37.5570|126.9244|subway_station|Hongik University Station|홍대입구역|line=2, Gyeongui–Jungang, AREX|line:ko=2호선, 경의중앙선, 공항철도
  37.5552|126.9369|subway_station|Sinchon Station|신촌역|line=2|line:ko=2호선
  37.5133|127.1001|subway_station|Jamsil Station|잠실역|line=2, 8|line:ko=2호선, 8호선
  37.5088|127.0632|subway_station|Samseong Station|삼성역|line=2|line:ko=2호선
  37.5716|126.9918|subway_station|Jongno 3-ga Station|종로3가역|line=1, 3, 5|line:ko=1호선, 3호선, 5호선
  37.5702|126.9831|subway_station|Jonggak Station|종각역|line=1|line:ko=1호선
  37.5712|126.9764|subway_station|Gwanghwamun Station|광화문역|line=5|line:ko=5호선
  37.5757|126.9735|subway_station|Gyeongbokgung Station|경복궁역|line=3|line:ko=3호선
  37.5765|126.9854|subway_station|Anguk Station|안국역|line=3|line:ko=3호선
  37.5609|126.9863|subway_station|Myeong-dong Station|명동역|line=4|line:ko=4호선
  37.5612|126.9943|subway_station|Chungmuro Station|충무로역|line=3, 4|line:ko=3호선, 4호선
  37.5651|127.0079|subway_station|Dongdaemun History and Culture Park Station|동대문역사문화공원역|line=2, 4, 5|line:ko=2호선, 4호선, 5호선
  37.5714|127.0098|subway_station|Dongdaemun Station|동대문역|line=1, 4|line:ko=1호선, 4호선
  37.5823|127.0018|subway_station|Hyehwa Station|혜화역|line=4|line:ko=4호선
  37.5613|127.0378|subway_station|Wangsimni Station|왕십리역|line=2, 5, Gyeongui–Jungang, Suin–Bundang|line:ko=2호선, 5호선, 경의중앙선, 수인분당선
  37.5404|127.0693|subway_station|Konkuk University Station|건대입구역|line=2, 7|line:ko=2호선, 7호선
  37.5446|127.0559|subway_station|Seongsu Station|성수역|line=2|line:ko=2호선
  37.5216|126.9243|subway_station|Yeouido Station|여의도역|line=5, 9|line:ko=5호선, 9호선
  37.4766|126.9816|subway_station|Sadang Station|사당역|line=2, 4|line:ko=2호선, 4호선
  37.4846|127.0340|subway_station|Yangjae Station|양재역|line=3, Shinbundang|line:ko=3호선, 신분당선
  37.5049|127.0049|subway_station|Express Bus Terminal Station|고속터미널역|line=3, 7, 9|line:ko=3호선, 7호선, 9호선
  37.5089|126.8913|subway_station|Sindorim Station|신도림역|line=1, 2|line:ko=1호선, 2호선
  37.6546|127.0614|subway_station|Nowon Station|노원역|line=4, 7|line:ko=4호선, 7호선
  37.5386|127.1236|subway_station|Cheonho Station|천호역|line=5, 8|line:ko=5호선, 8호선
  37.5440|126.9514|subway_station|Gongdeok Station|공덕역|line=5, 6, Gyeongui–Jungang, AREX|line:ko=5호선, 6호선, 경의중앙선, 공항철도
  37.5498|126.9146|subway_station|Hapjeong Station|합정역|line=2, 6|line:ko=2호선, 6호선
  37.5345|126.9944|subway_station|Itaewon Station|이태원역|line=6|line:ko=6호선
  37.4842|126.9297|subway_station|Sillim Station|신림역
  37.4812|126.9527|subway_station|Seoul National University Station|서울대입구역|line=2|line:ko=2호선
  37.5273|127.0406|subway_station|Apgujeong Rodeo Station|압구정로데오역|line=Suin–Bundang|line:ko=수인분당선
  37.5045|127.0490|subway_station|Seolleung Station|선릉역|line=2, Suin–Bundang|line:ko=2호선, 수인분당선
  37.5058|127.0047|bus_terminal|Seoul Express Bus Terminal|서울고속버스터미널
  37.5345|127.0942|bus_terminal|Dong Seoul Bus Terminal|동서울종합터미널
  37.4849|127.0163|bus_terminal|Nambu Bus Terminal|서울남부터미널
  37.5583|126.7906|airport|Gimpo International Airport|김포국제공항|website=https://www.airport.co.kr/gimpo|iata=GMP
  37.4602|126.4407|airport|Incheon International Airport|인천국제공항|website=https://www.airport.kr|iata=ICN
  37.4600|126.9520|university|Seoul National University|서울대학교|address=1 Gwanak-ro, Gwanak-gu, Seoul|address:ko=서울특별시 관악구 관악로 1|website=https://www.snu.ac.kr
  37.5657|126.9386|university|Yonsei University|연세대학교|address=50 Yonsei-ro, Seodaemun-gu, Seoul|address:ko=서울특별시 서대문구 연세로 50|website=https://www.yonsei.ac.kr
  37.5895|127.0323|university|Korea University|고려대학교|address=145 Anam-ro, Seongbuk-gu, Seoul|address:ko=서울특별시 성북구 안암로 145|website=https://www.korea.ac.kr
  37.5618|126.9468|university|Ewha Womans University|이화여자대학교|address=52 Ewhayeodae-gil, Seodaemun-gu, Seoul|address:ko=서울특별시 서대문구 이화여대길 52|website=https://www.ewha.ac.kr
  37.5511|126.9410|university|Sogang University|서강대학교|address=35 Baekbeom-ro, Mapo-gu, Seoul|address:ko=서울특별시 마포구 백범로 35|website=https://www.sogang.ac.kr
  37.5882|126.9936|university|Sungkyunkwan University|성균관대학교|address=25-2 Sungkyunkwan-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 성균관로 25-2|website=https://www.skku.edu
  37.5573|127.0454|university|Hanyang University|한양대학교|address=222 Wangsimni-ro, Seongdong-gu, Seoul|address:ko=서울특별시 성동구 왕십리로 222|website=https://www.hanyang.ac.kr
  37.5051|126.9571|university|Chung-Ang University|중앙대학교|address=84 Heukseok-ro, Dongjak-gu, Seoul|address:ko=서울특별시 동작구 흑석로 84|website=https://www.cau.ac.kr
  37.5969|127.0518|university|Kyung Hee University|경희대학교|address=26 Kyungheedae-ro, Dongdaemun-gu, Seoul|address:ko=서울특별시 동대문구 경희대로 26|website=https://www.khu.ac.kr
  37.5973|127.0588|university|Hankuk University of Foreign Studies|한국외국어대학교|address=107 Imun-ro, Dongdaemun-gu, Seoul|address:ko=서울특별시 동대문구 이문로 107|website=https://www.hufs.ac.kr
  37.5838|127.0588|university|University of Seoul|서울시립대학교|address=163 Seoulsiripdae-ro, Dongdaemun-gu, Seoul|address:ko=서울특별시 동대문구 서울시립대로 163|website=https://www.uos.ac.kr
  37.5420|127.0780|university|Konkuk University|건국대학교|address=120 Neungdong-ro, Gwangjin-gu, Seoul|address:ko=서울특별시 광진구 능동로 120|website=https://www.konkuk.ac.kr
  37.5582|127.0002|university|Dongguk University|동국대학교|address=30 Pildong-ro 1-gil, Jung-gu, Seoul|address:ko=서울특별시 중구 필동로1길 30|website=https://www.dongguk.edu
  37.5515|126.9250|university|Hongik University|홍익대학교|address=94 Wausan-ro, Mapo-gu, Seoul|address:ko=서울특별시 마포구 와우산로 94|website=https://www.hongik.ac.kr
  37.5463|126.9647|university|Sookmyung Women's University|숙명여자대학교|address=100 Cheongpa-ro 47-gil, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 청파로47길 100|website=https://www.sookmyung.ac.kr
  37.4963|126.9575|university|Soongsil University|숭실대학교|address=369 Sangdo-ro, Dongjak-gu, Seoul|address:ko=서울특별시 동작구 상도로 369|website=https://www.ssu.ac.kr
  37.5509|127.0737|university|Sejong University|세종대학교|address=209 Neungdong-ro, Gwangjin-gu, Seoul|address:ko=서울특별시 광진구 능동로 209|website=https://www.sejong.ac.kr
  37.6109|126.9970|university|Kookmin University|국민대학교|address=77 Jeongneung-ro, Seongbuk-gu, Seoul|address:ko=서울특별시 성북구 정릉로 77|website=https://www.kookmin.ac.kr
  37.6317|127.0774|university|Seoul National University of Science and Technology|서울과학기술대학교
  37.6513|127.0164|university|Duksung Women's University|덕성여자대학교
  37.6586|126.9780|mountain|Bukhansan (Baegundae)|북한산 백운대|elevation=836 m
  37.6988|127.0153|mountain|Dobongsan (Jaunbong)|도봉산 자운봉|elevation=740 m
  37.4453|126.9640|mountain|Gwanaksan|관악산|elevation=632 m
  37.5930|126.9738|mountain|Bugaksan|북악산|elevation=342 m
  37.5849|126.9580|mountain|Inwangsan|인왕산|elevation=338 m
  37.5510|126.9909|mountain|Namsan|남산
  37.6993|127.0816|mountain|Suraksan|수락산
  37.6620|127.0950|mountain|Buramsan|불암산
  37.4370|127.0495|mountain|Cheonggyesan (Maebong)|청계산 매봉|elevation=582 m
  37.5709|127.0960|mountain|Yongmasan|용마산
  37.5765|126.9456|mountain|Ansan|안산|elevation=296 m
  37.4790|127.1820|fortress|Namhansanseong Fortress|남한산성
  37.2870|127.0120|fortress|Hwaseong Fortress|수원 화성
  37.5797|126.9990|hospital|Seoul National University Hospital|서울대학교병원|address=101 Daehak-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 대학로 101|website=https://www.snuh.org
  37.5622|126.9409|hospital|Severance Hospital|세브란스병원|address=50-1 Yonsei-ro, Seodaemun-gu, Seoul|address:ko=서울특별시 서대문구 연세로 50-1|website=https://sev.severance.healthcare
  37.5266|127.1082|hospital|Asan Medical Center|서울아산병원|address=88 Olympic-ro 43-gil, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로43길 88|website=https://www.amc.seoul.kr
  37.4881|127.0857|hospital|Samsung Medical Center|삼성서울병원|address=81 Irwon-ro, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 일원로 81|website=https://www.samsunghospital.com
  37.5017|127.0047|hospital|Seoul St. Mary's Hospital|서울성모병원|address=222 Banpo-daero, Seocho-gu, Seoul|address:ko=서울특별시 서초구 반포대로 222|website=https://www.cmcseoul.or.kr
  37.5869|127.0265|hospital|Korea University Anam Hospital|고려대학교 안암병원
  37.5936|127.0515|hospital|Kyung Hee University Medical Center|경희대학교병원
  37.5682|126.8971|stadium|Seoul World Cup Stadium|서울월드컵경기장|address=240 World Cup-ro, Mapo-gu, Seoul|address:ko=서울특별시 마포구 월드컵로 240|capacity=66704
  37.5122|127.0719|stadium|Jamsil Baseball Stadium|잠실야구장|address=25 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 25
  37.5158|127.0728|stadium|Seoul Olympic Stadium|서울올림픽주경기장|address=25 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 25
  37.4982|126.8671|stadium|Gochuk Sky Dome|고척스카이돔|address=430 Gyeongin-ro, Guro-gu, Seoul|address:ko=서울특별시 구로구 경인로 430
  37.5582|127.0070|stadium|Jangchung Arena|장충체육관
  37.5192|127.1273|stadium|KSPO Dome|올림픽체조경기장
  37.5740|126.9817|temple|Jogyesa Temple|조계사|address=55 Ujeongguk-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 우정국로 55|website=https://www.jogyesa.kr
  37.5150|127.0574|temple|Bongeunsa Temple|봉은사|address=531 Bongeunsa-ro, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 봉은사로 531|website=https://www.bongeunsa.org
  37.6003|126.9945|temple|Gilsangsa Temple|길상사
  37.6380|126.9470|temple|Jingwansa Temple|진관사
  37.5633|126.9873|church|Myeongdong Cathedral|명동대성당|address=74 Myeongdong-gil, Jung-gu, Seoul|address:ko=서울특별시 중구 명동길 74|website=https://www.mdsd.or.kr
  37.5673|126.9763|church|Seoul Anglican Cathedral|서울주교좌성당
  37.5335|126.9977|mosque|Seoul Central Mosque|서울중앙성원
  37.5723|126.9757|theatre|Sejong Center for the Performing Arts|세종문화회관|address=175 Sejong-daero, Jongno-gu, Seoul|address:ko=서울특별시 종로구 세종대로 175|website=https://www.sejongpac.or.kr
  37.4787|127.0118|theatre|Seoul Arts Center|예술의전당|address=2406 Nambusunhwan-ro, Seocho-gu, Seoul|address:ko=서울특별시 서초구 남부순환로 2406|website=https://www.sac.or.kr
  37.5526|127.0001|theatre|National Theater of Korea|국립극장|address=59 Jangchungdan-ro, Jung-gu, Seoul|address:ko=서울특별시 중구 장충단로 59|website=https://www.ntok.go.kr
  37.5660|126.9730|theatre|National Jeongdong Theater|국립정동극장
  37.5828|127.0029|theatre|Arko Arts Theater|아르코예술극장
  37.4976|127.0028|library|National Library of Korea|국립중앙도서관|address=201 Banpo-daero, Seocho-gu, Seoul|address:ko=서울특별시 서초구 반포대로 201|website=https://www.nl.go.kr
  37.5663|126.9778|library|Seoul Metropolitan Library|서울도서관|address=110 Sejong-daero, Jung-gu, Seoul|address:ko=서울특별시 중구 세종대로 110|website=https://lib.seoul.go.kr
  37.5320|126.9170|library|National Assembly Library|국회도서관|address=1 Uisadang-daero, Yeongdeungpo-gu, Seoul|address:ko=서울특별시 영등포구 의사당대로 1|website=https://www.nanet.go.kr
  37.5089|127.0489|tomb|Seonjeongneung Royal Tombs|선정릉|address=1 Seolleung-ro 100-gil, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 선릉로100길 1|website=https://royal.khs.go.kr
  37.4640|127.0820|tomb|Heonilleung Royal Tombs|헌인릉
  37.6040|127.0570|tomb|Uireung Royal Tomb|의릉
  37.5020|127.1040|tomb|Seokchon-dong Ancient Tombs|석촌동고분군
  37.5005|126.9742|memorial|Seoul National Cemetery|국립서울현충원|address=210 Hyeonchung-ro, Dongjak-gu, Seoul|address:ko=서울특별시 동작구 현충로 210|fee=no
  37.5535|126.9805|memorial|Ahn Jung-geun Memorial Hall|안중근의사기념관
  37.5150|126.9960|bridge|Banpo Bridge|반포대교
  37.5171|126.9590|bridge|Hangang Bridge|한강대교
  37.5430|126.9030|bridge|Yanghwa Bridge|양화대교
  37.5110|127.1050|lake|Seokchon Lake|석촌호수
  37.7916|127.5258|island|Nami Island|남이섬|address=1 Namiseom-gil, Namsan-myeon, Chuncheon-si, Gangwon-do|address:ko=강원특별자치도 춘천시 남산면 남이섬길 1|website=https://www.namisum.com
  37.7432|127.3526|garden|The Garden of Morning Calm|아침고요수목원|address=432 Sumogwon-ro, Sang-myeon, Gapyeong-gun, Gyeonggi-do|address:ko=경기도 가평군 상면 수목원로 432|website=https://www.morningcalm.co.kr
  37.2595|127.1180|museum|Korean Folk Village|한국민속촌|address=90 Minsokchon-ro, Giheung-gu, Yongin-si, Gyeonggi-do|address:ko=경기도 용인시 기흥구 민속촌로 90|website=https://www.koreanfolk.co.kr
  37.4756|126.6178|district|Incheon Chinatown|인천 차이나타운
  37.3925|126.6390|park|Songdo Central Park|송도센트럴파크
  37.4010|127.1080|district|Pangyo Techno Valley|판교테크노밸리
  37.6570|126.7640|park|Ilsan Lake Park|일산호수공원
  """
