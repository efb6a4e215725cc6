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
  Gyeongbokgung Palace|address=161 Sajik-ro, Jongno-gu, Seoul|website=https://royal.khs.go.kr|opening_hours=Nov-Feb We-Mo 09:00-17:00; Mar-May,Sep-Oct We-Mo 09:00-18:00; Jun-Aug We-Mo 09:00-18:30
  Changdeokgung Palace|address=99 Yulgok-ro, Jongno-gu, Seoul|website=https://royal.khs.go.kr|opening_hours=Nov-Jan Tu-Su 09:00-17:30; Feb-May,Sep-Oct Tu-Su 09:00-18:00; Jun-Aug Tu-Su 09:00-18:30
  Changgyeonggung Palace|address=185 Changgyeonggung-ro, Jongno-gu, Seoul|website=https://royal.khs.go.kr|opening_hours=Tu-Su 09:00-21:00
  Deoksugung Palace|address=99 Sejong-daero, Jung-gu, Seoul|website=https://royal.khs.go.kr|opening_hours=Tu-Su 09:00-21:00
  Gyeonghuigung Palace|address=45 Saemunan-ro, Jongno-gu, Seoul
  Jongmyo Shrine|address=157 Jong-ro, Jongno-gu, Seoul|website=https://royal.khs.go.kr
  Unhyeongung|address=464 Samil-daero, Jongno-gu, Seoul
  Cheong Wa Dae|address=1 Cheongwadae-ro, Jongno-gu, Seoul
  Gwanghwamun Gate|address=161 Sajik-ro, Jongno-gu, Seoul
  Sungnyemun Gate|address=40 Sejong-daero, Jung-gu, Seoul
  Heunginjimun Gate|address=288 Jong-ro, Jongno-gu, Seoul
  N Seoul Tower|address=105 Namsangongwon-gil, Yongsan-gu, Seoul|website=https://www.seoultower.co.kr|height=236 m
  Lotte World Tower|address=300 Olympic-ro, Songpa-gu, Seoul|website=https://www.lwt.co.kr|height=555 m|levels=123
  63 Building|address=50 63-ro, Yeongdeungpo-gu, Seoul|height=249 m
  Seoul City Hall|address=110 Sejong-daero, Jung-gu, Seoul|website=https://www.seoul.go.kr
  National Assembly Building|address=1 Uisadang-daero, Yeongdeungpo-gu, Seoul|website=https://www.assembly.go.kr
  Dongdaemun Design Plaza|address=281 Eulji-ro, Jung-gu, Seoul|website=https://ddp.or.kr
  National Museum of Korea|address=137 Seobinggo-ro, Yongsan-gu, Seoul|website=https://www.museum.go.kr|fee=no
  National Folk Museum of Korea|address=37 Samcheong-ro, Jongno-gu, Seoul|website=https://www.nfm.go.kr
  National Palace Museum of Korea|address=12 Hyoja-ro, Jongno-gu, Seoul|website=https://www.gogung.go.kr|fee=no
  War Memorial of Korea|address=29 Itaewon-ro, Yongsan-gu, Seoul|website=https://www.warmemo.or.kr|fee=no
  Seoul Museum of History|address=55 Saemunan-ro, Jongno-gu, Seoul|website=https://museum.seoul.go.kr|fee=no
  National Hangeul Museum|address=139 Seobinggo-ro, Yongsan-gu, Seoul|website=https://www.hangeul.go.kr|fee=no
  Seodaemun Prison History Hall|address=251 Tongil-ro, Seodaemun-gu, Seoul|fee=yes
  National Museum of Korean Contemporary History|address=198 Sejong-daero, Jongno-gu, Seoul|website=https://www.much.go.kr|fee=no
  Leeum Museum of Art|address=60-16 Itaewon-ro 55-gil, Yongsan-gu, Seoul|website=https://www.leeumhoam.org
  National Museum of Modern and Contemporary Art, Seoul|address=30 Samcheong-ro, Jongno-gu, Seoul|website=https://www.mmca.go.kr
  Seoul Museum of Art|address=61 Deoksugung-gil, Jung-gu, Seoul|website=https://sema.seoul.go.kr
  National Museum of Modern and Contemporary Art, Gwacheon|address=313 Gwangmyeong-ro, Gwacheon-si, Gyeonggi-do|website=https://www.mmca.go.kr
  Gwacheon National Science Museum|address=110 Sangha-ro, Gwacheon-si, Gyeonggi-do|website=https://www.sciencecenter.go.kr
  Olympic Park|address=424 Olympic-ro, Songpa-gu, Seoul
  Seoul Botanic Park|address=161 Magokdong-ro, Gangseo-gu, Seoul|website=https://botanicpark.seoul.go.kr
  Seoul Grand Park|address=102 Daegongwongwangjang-ro, Gwacheon-si, Gyeonggi-do|website=https://grandpark.seoul.go.kr
  Seoul Land|address=181 Gwangmyeong-ro, Gwacheon-si, Gyeonggi-do|website=https://www.seoulland.co.kr
  Lotte World|address=240 Olympic-ro, Songpa-gu, Seoul|website=https://adventure.lotteworld.com
  Everland|address=199 Everland-ro, Pogok-eup, Cheoin-gu, Yongin-si, Gyeonggi-do|website=https://www.everland.com
  Gwangjang Market|address=88 Changgyeonggung-ro, Jongno-gu, Seoul
  Noryangjin Fish Market|address=674 Nodeul-ro, Dongjak-gu, Seoul
  COEX|address=513 Yeongdong-daero, Gangnam-gu, Seoul|website=https://www.coex.co.kr
  Starfield COEX Mall|address=513 Yeongdong-daero, Gangnam-gu, Seoul
  KINTEX|address=217-60 Kintex-ro, Ilsanseo-gu, Goyang-si, Gyeonggi-do|website=https://www.kintex.com
  The Hyundai Seoul|address=108 Yeoui-daero, Yeongdeungpo-gu, Seoul
  Shinsegae Main Store|address=63 Sogong-ro, Jung-gu, Seoul
  Lotte Department Store Main Store|address=81 Namdaemun-ro, Jung-gu, Seoul
  Shinsegae Gangnam|address=176 Sinbanpo-ro, Seocho-gu, Seoul
  Seoul Station|address=405 Hangang-daero, Yongsan-gu, Seoul|website=https://www.letskorail.com
  Yongsan Station|address=55 Hangang-daero 23-gil, Yongsan-gu, Seoul|website=https://www.letskorail.com
  City Hall Station|line=1, 2
  Gangnam Station|line=2, Shinbundang
  Hongik University Station|line=2, Gyeongui–Jungang, AREX
  Sinchon Station|line=2
  Jamsil Station|line=2, 8
  Samseong Station|line=2
  Jongno 3-ga Station|line=1, 3, 5
  Jonggak Station|line=1
  Gwanghwamun Station|line=5
  Gyeongbokgung Station|line=3
  Anguk Station|line=3
  Myeong-dong Station|line=4
  Chungmuro Station|line=3, 4
  Dongdaemun History and Culture Park Station|line=2, 4, 5
  Dongdaemun Station|line=1, 4
  Hyehwa Station|line=4
  Wangsimni Station|line=2, 5, Gyeongui–Jungang, Suin–Bundang
  Konkuk University Station|line=2, 7
  Seongsu Station|line=2
  Yeouido Station|line=5, 9
  Sadang Station|line=2, 4
  Yangjae Station|line=3, Shinbundang
  Express Bus Terminal Station|line=3, 7, 9
  Sindorim Station|line=1, 2
  Nowon Station|line=4, 7
  Cheonho Station|line=5, 8
  Gongdeok Station|line=5, 6, Gyeongui–Jungang, AREX
  Hapjeong Station|line=2, 6
  Itaewon Station|line=6
  Seoul National University Station|line=2
  Apgujeong Rodeo Station|line=Suin–Bundang
  Seolleung Station|line=2, Suin–Bundang
  Gimpo International Airport|website=https://www.airport.co.kr/gimpo|iata=GMP
  Incheon International Airport|address=272 Gonghang-ro, Jung-gu, Incheon|website=https://www.airport.kr|iata=ICN
  Seoul National University|address=1 Gwanak-ro, Gwanak-gu, Seoul|website=https://www.snu.ac.kr
  Yonsei University|address=50 Yonsei-ro, Seodaemun-gu, Seoul|website=https://www.yonsei.ac.kr
  Korea University|address=145 Anam-ro, Seongbuk-gu, Seoul|website=https://www.korea.ac.kr
  Ewha Womans University|address=52 Ewhayeodae-gil, Seodaemun-gu, Seoul|website=https://www.ewha.ac.kr
  Sogang University|address=35 Baekbeom-ro, Mapo-gu, Seoul|website=https://www.sogang.ac.kr
  Sungkyunkwan University|address=25-2 Sungkyunkwan-ro, Jongno-gu, Seoul|website=https://www.skku.edu
  Hanyang University|address=222 Wangsimni-ro, Seongdong-gu, Seoul|website=https://www.hanyang.ac.kr
  Chung-Ang University|address=84 Heukseok-ro, Dongjak-gu, Seoul|website=https://www.cau.ac.kr
  Kyung Hee University|address=26 Kyungheedae-ro, Dongdaemun-gu, Seoul|website=https://www.khu.ac.kr
  Hankuk University of Foreign Studies|address=107 Imun-ro, Dongdaemun-gu, Seoul|website=https://www.hufs.ac.kr
  University of Seoul|address=163 Seoulsiripdae-ro, Dongdaemun-gu, Seoul|website=https://www.uos.ac.kr
  Konkuk University|address=120 Neungdong-ro, Gwangjin-gu, Seoul|website=https://www.konkuk.ac.kr
  Dongguk University|address=30 Pildong-ro 1-gil, Jung-gu, Seoul|website=https://www.dongguk.edu
  Hongik University|address=94 Wausan-ro, Mapo-gu, Seoul|website=https://www.hongik.ac.kr
  Sookmyung Women's University|address=100 Cheongpa-ro 47-gil, Yongsan-gu, Seoul|website=https://www.sookmyung.ac.kr
  Soongsil University|address=369 Sangdo-ro, Dongjak-gu, Seoul|website=https://www.ssu.ac.kr
  Sejong University|address=209 Neungdong-ro, Gwangjin-gu, Seoul|website=https://www.sejong.ac.kr
  Kookmin University|address=77 Jeongneung-ro, Seongbuk-gu, Seoul|website=https://www.kookmin.ac.kr
  Bukhansan (Baegundae)|elevation=836 m
  Dobongsan (Jaunbong)|elevation=740 m
  Gwanaksan|elevation=632 m
  Bugaksan|elevation=342 m
  Inwangsan|elevation=338 m
  Suraksan|elevation=638 m
  Cheonggyesan (Maebong)|elevation=582 m
  Ansan|elevation=296 m
  Seoul National University Hospital|address=101 Daehak-ro, Jongno-gu, Seoul|website=https://www.snuh.org
  Severance Hospital|address=50-1 Yonsei-ro, Seodaemun-gu, Seoul|website=https://sev.severance.healthcare
  Asan Medical Center|address=88 Olympic-ro 43-gil, Songpa-gu, Seoul|website=https://www.amc.seoul.kr
  Samsung Medical Center|address=81 Irwon-ro, Gangnam-gu, Seoul|website=https://www.samsunghospital.com
  Seoul St. Mary's Hospital|address=222 Banpo-daero, Seocho-gu, Seoul|website=https://www.cmcseoul.or.kr
  Seoul World Cup Stadium|address=240 World Cup-ro, Mapo-gu, Seoul|capacity=66704
  Jamsil Baseball Stadium|address=25 Olympic-ro, Songpa-gu, Seoul
  Seoul Olympic Stadium|address=25 Olympic-ro, Songpa-gu, Seoul
  Gochuk Sky Dome|address=430 Gyeongin-ro, Guro-gu, Seoul
  Jogyesa Temple|address=55 Ujeongguk-ro, Jongno-gu, Seoul|website=https://www.jogyesa.kr
  Bongeunsa Temple|address=531 Bongeunsa-ro, Gangnam-gu, Seoul|website=https://www.bongeunsa.org
  Myeongdong Cathedral|address=74 Myeongdong-gil, Jung-gu, Seoul|website=https://www.mdsd.or.kr
  Sejong Center for the Performing Arts|address=175 Sejong-daero, Jongno-gu, Seoul|website=https://www.sejongpac.or.kr
  Seoul Arts Center|address=2406 Nambusunhwan-ro, Seocho-gu, Seoul|website=https://www.sac.or.kr
  National Theater of Korea|address=59 Jangchungdan-ro, Jung-gu, Seoul|website=https://www.ntok.go.kr
  National Library of Korea|address=201 Banpo-daero, Seocho-gu, Seoul|website=https://www.nl.go.kr
  Seoul Metropolitan Library|address=110 Sejong-daero, Jung-gu, Seoul|website=https://lib.seoul.go.kr
  National Assembly Library|address=1 Uisadang-daero, Yeongdeungpo-gu, Seoul|website=https://www.nanet.go.kr
  Seonjeongneung Royal Tombs|address=1 Seolleung-ro 100-gil, Gangnam-gu, Seoul|website=https://royal.khs.go.kr
  Seoul National Cemetery|address=210 Hyeonchung-ro, Dongjak-gu, Seoul|website=https://www.snmb.mil.kr|fee=no
  Nami Island|address=1 Namiseom-gil, Namsan-myeon, Chuncheon-si, Gangwon-do|website=https://www.namisum.com
  The Garden of Morning Calm|address=432 Sumogwon-ro, Sang-myeon, Gapyeong-gun, Gyeonggi-do|website=https://www.morningcalm.co.kr
  Korean Folk Village|address=90 Minsokchon-ro, Giheung-gu, Yongin-si, Gyeonggi-do|website=https://www.koreanfolk.co.kr
  """
