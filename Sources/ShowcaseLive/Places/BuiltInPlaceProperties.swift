import Showcase

extension BuiltInPlaces {
  /// The properties of the built-in places that have some, by ID.
  static let properties: [Int: [PlaceProperty]] = {
    let ids = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.id) })
    let lines = builtInPropertyTable.split(separator: "\n").map { line in
      let fields = line.split(separator: "|").map(String.init)
      return (ids[fields[0]]!, fields.dropFirst().map(PlaceProperty.init(field:)))
    }
    return Dictionary(uniqueKeysWithValues: lines)
  }()
}

extension PlaceProperty {
  /// Parses `name=value`.
  fileprivate init(field: String) {
    let parts = field.split(separator: "=", maxSplits: 1).map(String.init)
    self.init(name: parts[0], value: parts[1])
  }
}

/// Properties of the built-in places: name, and `property=value` in the order to show them. The names
/// and the opening hours are in the notation of OpenStreetMap.
///
/// Only what rarely changes: street addresses, websites, lines, elevations above sea level, and the
/// regular hours of the palaces.
private let builtInPropertyTable = """
  Gyeongbokgung Palace|address=161 Sajik-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 사직로 161|website=https://royal.khs.go.kr|opening_hours=Nov-Feb We-Mo 09:00-17:00; Mar-May,Sep-Oct We-Mo 09:00-18:00; Jun-Aug We-Mo 09:00-18:30
  Changdeokgung Palace|address=99 Yulgok-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 율곡로 99|website=https://royal.khs.go.kr|opening_hours=Nov-Jan Tu-Su 09:00-17:30; Feb-May,Sep-Oct Tu-Su 09:00-18:00; Jun-Aug Tu-Su 09:00-18:30
  Changgyeonggung Palace|address=185 Changgyeonggung-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 창경궁로 185|website=https://royal.khs.go.kr|opening_hours=Tu-Su 09:00-21:00
  Deoksugung Palace|address=99 Sejong-daero, Jung-gu, Seoul|address:ko=서울특별시 중구 세종대로 99|website=https://royal.khs.go.kr|opening_hours=Tu-Su 09:00-21:00
  Gyeonghuigung Palace|address=45 Saemunan-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 새문안로 45
  Jongmyo Shrine|address=157 Jong-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 종로 157|website=https://royal.khs.go.kr
  Unhyeongung|address=464 Samil-daero, Jongno-gu, Seoul|address:ko=서울특별시 종로구 삼일대로 464
  Cheong Wa Dae|address=1 Cheongwadae-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 청와대로 1
  Gwanghwamun Gate|address=161 Sajik-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 사직로 161
  Sungnyemun Gate|address=40 Sejong-daero, Jung-gu, Seoul|address:ko=서울특별시 중구 세종대로 40
  Heunginjimun Gate|address=288 Jong-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 종로 288
  N Seoul Tower|address=105 Namsangongwon-gil, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 남산공원길 105|height=236 m
  Lotte World Tower|address=300 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 300|website=https://www.lwt.co.kr|height=555 m|levels=123
  63 Building|address=50 63-ro, Yeongdeungpo-gu, Seoul|address:ko=서울특별시 영등포구 63로 50|height=249 m
  Seoul City Hall|address=110 Sejong-daero, Jung-gu, Seoul|address:ko=서울특별시 중구 세종대로 110|website=https://www.seoul.go.kr
  National Assembly Building|address=1 Uisadang-daero, Yeongdeungpo-gu, Seoul|address:ko=서울특별시 영등포구 의사당대로 1|website=https://www.assembly.go.kr
  Dongdaemun Design Plaza|address=281 Eulji-ro, Jung-gu, Seoul|address:ko=서울특별시 중구 을지로 281|website=https://ddp.or.kr
  National Museum of Korea|address=137 Seobinggo-ro, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 서빙고로 137|website=https://www.museum.go.kr
  National Folk Museum of Korea|address=37 Samcheong-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 삼청로 37|website=https://www.nfm.go.kr
  National Palace Museum of Korea|address=12 Hyoja-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 효자로 12|website=https://www.gogung.go.kr|fee=no
  War Memorial of Korea|address=29 Itaewon-ro, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 이태원로 29|website=https://www.warmemo.or.kr|fee=no
  Seoul Museum of History|address=55 Saemunan-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 새문안로 55|website=https://museum.seoul.go.kr|fee=no
  National Hangeul Museum|address=139 Seobinggo-ro, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 서빙고로 139|website=https://www.hangeul.go.kr
  Seodaemun Prison History Hall|address=251 Tongil-ro, Seodaemun-gu, Seoul|address:ko=서울특별시 서대문구 통일로 251|fee=yes
  National Museum of Korean Contemporary History|address=198 Sejong-daero, Jongno-gu, Seoul|address:ko=서울특별시 종로구 세종대로 198|website=https://www.much.go.kr|fee=no
  Leeum Museum of Art|address=60-16 Itaewon-ro 55-gil, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 이태원로55길 60-16|website=https://www.leeumhoam.org
  National Museum of Modern and Contemporary Art, Seoul|address=30 Samcheong-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 삼청로 30|website=https://www.mmca.go.kr
  Seoul Museum of Art|address=61 Deoksugung-gil, Jung-gu, Seoul|address:ko=서울특별시 중구 덕수궁길 61|website=https://sema.seoul.go.kr
  National Museum of Modern and Contemporary Art, Gwacheon|address=313 Gwangmyeong-ro, Gwacheon-si, Gyeonggi-do|address:ko=경기도 과천시 광명로 313|website=https://www.mmca.go.kr
  Gwacheon National Science Museum|address=110 Sanghabeol-ro, Gwacheon-si, Gyeonggi-do|address:ko=경기도 과천시 상하벌로 110|website=https://www.sciencecenter.go.kr
  Olympic Park|address=424 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 424
  Seoul Botanic Park|address=161 Magokdong-ro, Gangseo-gu, Seoul|address:ko=서울특별시 강서구 마곡동로 161|website=https://botanicpark.seoul.go.kr
  Seoul Grand Park|address=102 Daegongwongwangjang-ro, Gwacheon-si, Gyeonggi-do|address:ko=경기도 과천시 대공원광장로 102|website=https://grandpark.seoul.go.kr
  Seoul Land|address=181 Gwangmyeong-ro, Gwacheon-si, Gyeonggi-do|address:ko=경기도 과천시 광명로 181|website=https://www.seoulland.co.kr
  Lotte World|address=240 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 240|website=https://adventure.lotteworld.com
  Everland|address=199 Everland-ro, Pogok-eup, Cheoin-gu, Yongin-si, Gyeonggi-do|address:ko=경기도 용인시 처인구 포곡읍 에버랜드로 199|website=https://www.everland.com
  Gwangjang Market|address=88 Changgyeonggung-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 창경궁로 88
  Noryangjin Fish Market|address=674 Nodeul-ro, Dongjak-gu, Seoul|address:ko=서울특별시 동작구 노들로 674
  COEX|address=513 Yeongdong-daero, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 영동대로 513
  Starfield COEX Mall|address=513 Yeongdong-daero, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 영동대로 513
  KINTEX|address=217-60 Kintex-ro, Ilsanseo-gu, Goyang-si, Gyeonggi-do|address:ko=경기도 고양시 일산서구 킨텍스로 217-60|website=https://www.kintex.com
  The Hyundai Seoul|address=108 Yeoui-daero, Yeongdeungpo-gu, Seoul|address:ko=서울특별시 영등포구 여의대로 108
  Shinsegae Main Store|address=63 Sogong-ro, Jung-gu, Seoul|address:ko=서울특별시 중구 소공로 63
  Lotte Department Store Main Store|address=81 Namdaemun-ro, Jung-gu, Seoul|address:ko=서울특별시 중구 남대문로 81
  Shinsegae Gangnam|address=176 Sinbanpo-ro, Seocho-gu, Seoul|address:ko=서울특별시 서초구 신반포로 176
  Seoul Station|address=405 Hangang-daero, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 한강대로 405
  Yongsan Station|address=55 Hangang-daero 23-gil, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 한강대로23길 55
  City Hall Station|line=1, 2|line:ko=1호선, 2호선
  Gangnam Station|line=2, Shinbundang|line:ko=2호선, 신분당선
  Hongik University Station|line=2, Gyeongui–Jungang, AREX|line:ko=2호선, 경의중앙선, 공항철도
  Sinchon Station|line=2|line:ko=2호선
  Jamsil Station|line=2, 8|line:ko=2호선, 8호선
  Samseong Station|line=2|line:ko=2호선
  Jongno 3-ga Station|line=1, 3, 5|line:ko=1호선, 3호선, 5호선
  Jonggak Station|line=1|line:ko=1호선
  Gwanghwamun Station|line=5|line:ko=5호선
  Gyeongbokgung Station|line=3|line:ko=3호선
  Anguk Station|line=3|line:ko=3호선
  Myeong-dong Station|line=4|line:ko=4호선
  Chungmuro Station|line=3, 4|line:ko=3호선, 4호선
  Dongdaemun History and Culture Park Station|line=2, 4, 5|line:ko=2호선, 4호선, 5호선
  Dongdaemun Station|line=1, 4|line:ko=1호선, 4호선
  Hyehwa Station|line=4|line:ko=4호선
  Wangsimni Station|line=2, 5, Gyeongui–Jungang, Suin–Bundang|line:ko=2호선, 5호선, 경의중앙선, 수인분당선
  Konkuk University Station|line=2, 7|line:ko=2호선, 7호선
  Seongsu Station|line=2|line:ko=2호선
  Yeouido Station|line=5, 9|line:ko=5호선, 9호선
  Sadang Station|line=2, 4|line:ko=2호선, 4호선
  Yangjae Station|line=3, Shinbundang|line:ko=3호선, 신분당선
  Express Bus Terminal Station|line=3, 7, 9|line:ko=3호선, 7호선, 9호선
  Sindorim Station|line=1, 2|line:ko=1호선, 2호선
  Nowon Station|line=4, 7|line:ko=4호선, 7호선
  Cheonho Station|line=5, 8|line:ko=5호선, 8호선
  Gongdeok Station|line=5, 6, Gyeongui–Jungang, AREX|line:ko=5호선, 6호선, 경의중앙선, 공항철도
  Hapjeong Station|line=2, 6|line:ko=2호선, 6호선
  Itaewon Station|line=6|line:ko=6호선
  Seoul National University Station|line=2|line:ko=2호선
  Apgujeong Rodeo Station|line=Suin–Bundang|line:ko=수인분당선
  Seolleung Station|line=2, Suin–Bundang|line:ko=2호선, 수인분당선
  Gimpo International Airport|website=https://www.airport.co.kr/gimpo|iata=GMP
  Incheon International Airport|website=https://www.airport.kr|iata=ICN
  Seoul National University|address=1 Gwanak-ro, Gwanak-gu, Seoul|address:ko=서울특별시 관악구 관악로 1|website=https://www.snu.ac.kr
  Yonsei University|address=50 Yonsei-ro, Seodaemun-gu, Seoul|address:ko=서울특별시 서대문구 연세로 50|website=https://www.yonsei.ac.kr
  Korea University|address=145 Anam-ro, Seongbuk-gu, Seoul|address:ko=서울특별시 성북구 안암로 145|website=https://www.korea.ac.kr
  Ewha Womans University|address=52 Ewhayeodae-gil, Seodaemun-gu, Seoul|address:ko=서울특별시 서대문구 이화여대길 52|website=https://www.ewha.ac.kr
  Sogang University|address=35 Baekbeom-ro, Mapo-gu, Seoul|address:ko=서울특별시 마포구 백범로 35|website=https://www.sogang.ac.kr
  Sungkyunkwan University|address=25-2 Sungkyunkwan-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 성균관로 25-2|website=https://www.skku.edu
  Hanyang University|address=222 Wangsimni-ro, Seongdong-gu, Seoul|address:ko=서울특별시 성동구 왕십리로 222|website=https://www.hanyang.ac.kr
  Chung-Ang University|address=84 Heukseok-ro, Dongjak-gu, Seoul|address:ko=서울특별시 동작구 흑석로 84|website=https://www.cau.ac.kr
  Kyung Hee University|address=26 Kyungheedae-ro, Dongdaemun-gu, Seoul|address:ko=서울특별시 동대문구 경희대로 26|website=https://www.khu.ac.kr
  Hankuk University of Foreign Studies|address=107 Imun-ro, Dongdaemun-gu, Seoul|address:ko=서울특별시 동대문구 이문로 107|website=https://www.hufs.ac.kr
  University of Seoul|address=163 Seoulsiripdae-ro, Dongdaemun-gu, Seoul|address:ko=서울특별시 동대문구 서울시립대로 163|website=https://www.uos.ac.kr
  Konkuk University|address=120 Neungdong-ro, Gwangjin-gu, Seoul|address:ko=서울특별시 광진구 능동로 120|website=https://www.konkuk.ac.kr
  Dongguk University|address=30 Pildong-ro 1-gil, Jung-gu, Seoul|address:ko=서울특별시 중구 필동로1길 30|website=https://www.dongguk.edu
  Hongik University|address=94 Wausan-ro, Mapo-gu, Seoul|address:ko=서울특별시 마포구 와우산로 94|website=https://www.hongik.ac.kr
  Sookmyung Women's University|address=100 Cheongpa-ro 47-gil, Yongsan-gu, Seoul|address:ko=서울특별시 용산구 청파로47길 100|website=https://www.sookmyung.ac.kr
  Soongsil University|address=369 Sangdo-ro, Dongjak-gu, Seoul|address:ko=서울특별시 동작구 상도로 369|website=https://www.ssu.ac.kr
  Sejong University|address=209 Neungdong-ro, Gwangjin-gu, Seoul|address:ko=서울특별시 광진구 능동로 209|website=https://www.sejong.ac.kr
  Kookmin University|address=77 Jeongneung-ro, Seongbuk-gu, Seoul|address:ko=서울특별시 성북구 정릉로 77|website=https://www.kookmin.ac.kr
  Bukhansan (Baegundae)|elevation=836 m
  Dobongsan (Jaunbong)|elevation=740 m
  Gwanaksan|elevation=632 m
  Bugaksan|elevation=342 m
  Inwangsan|elevation=338 m
  Cheonggyesan (Maebong)|elevation=582 m
  Ansan|elevation=296 m
  Seoul National University Hospital|address=101 Daehak-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 대학로 101|website=https://www.snuh.org
  Severance Hospital|address=50-1 Yonsei-ro, Seodaemun-gu, Seoul|address:ko=서울특별시 서대문구 연세로 50-1|website=https://sev.severance.healthcare
  Asan Medical Center|address=88 Olympic-ro 43-gil, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로43길 88|website=https://www.amc.seoul.kr
  Samsung Medical Center|address=81 Irwon-ro, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 일원로 81|website=https://www.samsunghospital.com
  Seoul St. Mary's Hospital|address=222 Banpo-daero, Seocho-gu, Seoul|address:ko=서울특별시 서초구 반포대로 222|website=https://www.cmcseoul.or.kr
  Seoul World Cup Stadium|address=240 World Cup-ro, Mapo-gu, Seoul|address:ko=서울특별시 마포구 월드컵로 240|capacity=66704
  Jamsil Baseball Stadium|address=25 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 25
  Seoul Olympic Stadium|address=25 Olympic-ro, Songpa-gu, Seoul|address:ko=서울특별시 송파구 올림픽로 25
  Gochuk Sky Dome|address=430 Gyeongin-ro, Guro-gu, Seoul|address:ko=서울특별시 구로구 경인로 430
  Jogyesa Temple|address=55 Ujeongguk-ro, Jongno-gu, Seoul|address:ko=서울특별시 종로구 우정국로 55|website=https://www.jogyesa.kr
  Bongeunsa Temple|address=531 Bongeunsa-ro, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 봉은사로 531|website=https://www.bongeunsa.org
  Myeongdong Cathedral|address=74 Myeongdong-gil, Jung-gu, Seoul|address:ko=서울특별시 중구 명동길 74|website=https://www.mdsd.or.kr
  Sejong Center for the Performing Arts|address=175 Sejong-daero, Jongno-gu, Seoul|address:ko=서울특별시 종로구 세종대로 175|website=https://www.sejongpac.or.kr
  Seoul Arts Center|address=2406 Nambusunhwan-ro, Seocho-gu, Seoul|address:ko=서울특별시 서초구 남부순환로 2406|website=https://www.sac.or.kr
  National Theater of Korea|address=59 Jangchungdan-ro, Jung-gu, Seoul|address:ko=서울특별시 중구 장충단로 59|website=https://www.ntok.go.kr
  National Library of Korea|address=201 Banpo-daero, Seocho-gu, Seoul|address:ko=서울특별시 서초구 반포대로 201|website=https://www.nl.go.kr
  Seoul Metropolitan Library|address=110 Sejong-daero, Jung-gu, Seoul|address:ko=서울특별시 중구 세종대로 110|website=https://lib.seoul.go.kr
  National Assembly Library|address=1 Uisadang-daero, Yeongdeungpo-gu, Seoul|address:ko=서울특별시 영등포구 의사당대로 1|website=https://www.nanet.go.kr
  Seonjeongneung Royal Tombs|address=1 Seolleung-ro 100-gil, Gangnam-gu, Seoul|address:ko=서울특별시 강남구 선릉로100길 1|website=https://royal.khs.go.kr
  Seoul National Cemetery|address=210 Hyeonchung-ro, Dongjak-gu, Seoul|address:ko=서울특별시 동작구 현충로 210|fee=no
  Nami Island|address=1 Namiseom-gil, Namsan-myeon, Chuncheon-si, Gangwon-do|address:ko=강원특별자치도 춘천시 남산면 남이섬길 1|website=https://www.namisum.com
  The Garden of Morning Calm|address=432 Sumogwon-ro, Sang-myeon, Gapyeong-gun, Gyeonggi-do|address:ko=경기도 가평군 상면 수목원로 432|website=https://www.morningcalm.co.kr
  Korean Folk Village|address=90 Minsokchon-ro, Giheung-gu, Yongin-si, Gyeonggi-do|address:ko=경기도 용인시 기흥구 민속촌로 90|website=https://www.koreanfolk.co.kr
  """
