internal import Offstage

/// The words beside screens, ports and choices, for front ends that draw the app from its
/// description.
///
/// A key is the kind of a screen (`map`), a port (`map.sortBy`), a case of an enum
/// (`PlaceSort.distance`) or a member of a type (`PlaceRow.rating`). A key without its first part
/// (`retry`) stands for all of that name. What the table of a language does not have is derived from
/// the name by the runtime, in English.
struct LabelTable: Sendable {
  private let entries: [String: Label]

  /// - Parameter table: A line for each key: `key = title | placeholder`.
  init(_ table: String) {
    let lines = table.split(separator: "\n").map { line in
      let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmed }
      let texts = parts[1].split(separator: "|", maxSplits: 1).map { $0.trimmed }
      return (parts[0], Label(texts[0], placeholder: texts.dropFirst().first))
    }
    entries = Dictionary(uniqueKeysWithValues: lines)
  }

  subscript(key: String) -> Label? {
    entries[key] ?? key.lastIndex(of: ".").flatMap { entries[String(key[$0...].dropFirst())] }
  }
}

extension Substring {
  fileprivate var trimmed: String {
    let start = drop { $0 == " " }
    let end = start.lastIndex { $0 != " " }.map { start.index(after: $0) } ?? start.startIndex
    return String(start[..<end])
  }
}

extension English {
  /// Where the derived title would not do.
  static let labels = LabelTable(
    """
    categoryList = Category
    createAvatar = New avatar
    createAccount = Create account
    customModal = Question
    devSettings = Developer settings
    editProfile = Edit profile
    gallery = Navigation gallery
    placeDetail = Place
    placeSearch = Search places
    pokedex = Pokédex
    pokemonDetail = Pokémon
    signUp = Sign up
    titleDetail = Title
    retry = Try again
    reachedEnd = Show more
    refresh = Refresh
    failed = Error
    failure = Error
    hasMore = More to show
    isLoading = Loading
    isSaving = Saving
    isReplying = Replying
    isSearching = Searching
    avatarTapped = Chat
    createAccountTapped = Create account
    createAvatarTapped = New avatar
    editProfileTapped = Edit profile
    settingsTapped = Settings
    closeTapped = Close
    cancel = Cancel
    save = Save
    nameText = Name | Your name
    map.boundsChanged = Visible area
    map.sortBy = Sort by
    map.placeTapped = Show place
    map.searchBarTapped = Search
    map.searchBackTapped = Back to search
    map.locateTapped = My location
    map.sheetDetentChanged = Sheet height
    placeSearch.queryText = Search | Name of a place
    placeSearch.placeTapped = Pick place
    explore.categoryTapped = Show category
    explore.devSettingsTapped = Developer settings
    explore.pushPermissionTapped = Turn on notifications
    chats.chatTapped = Open chat
    chats.deleteTapped = Delete
    chats.undoTapped = Undo
    chat.messageText = Message | Write a message
    chat.send = Send
    chat.stop = Stop
    chat.shareTapped = Share
    createAvatar.nameText = Name | Name of the avatar
    createAvatar.descriptionText = Description | What is the avatar like?
    createAvatar.categoryPicked = Category
    createAccount.signUpTapped = Sign up
    createAccount.notNowTapped = Not now
    editProfile.picturePicked = Picture
    settings.notificationsSwitched = Reminders
    settings.signOutTapped = Sign out
    settings.deleteAccountTapped = Delete account
    devSettings.categoryRowPicked = Category row
    devSettings.createAccountPromptPicked = Account prompt
    pokedex.pokemonTapped = Show Pokémon
    pokedex.searchText = Search | Name of a Pokémon
    library.cardTapped = Show title
    library.bookmarkTapped = Bookmark
    titleDetail.playTapped = Play
    titleDetail.pauseTapped = Pause
    titleDetail.seek = Position
    titleDetail.bookmarkTapped = Bookmark
    signUp.emailText = Email | kim@example.com
    signUp.confirm = Sign up
    at = Time
    cutReason = Reason
    distanceText = Distance
    heightText = Height
    isCut = Cut off
    localName = Other name
    typeNames = Types
    weightText = Weight
    CategoryRowOption.original = Below the featured avatars
    CategoryRowOption.top = At the top
    CategoryRowOption.hidden = Hidden
    SheetDetent.tip = Tip
    SheetDetent.half = Half
    SheetDetent.full = Full
    NotificationStatus.notAsked = Not asked
    """)
}

extension Korean {
  static let labels = LabelTable(
    """
    map = 지도
    placeSearch = 장소 검색
    placeDetail = 장소 정보
    explore = 둘러보기
    categoryList = 카테고리
    chats = 채팅
    chat = 대화
    createAvatar = 아바타 만들기
    createAccount = 계정 만들기
    profile = 프로필
    editProfile = 프로필 수정
    settings = 설정
    devSettings = 개발자 설정
    customModal = 질문
    pokedex = 포켓몬 도감
    pokemonDetail = 포켓몬 정보
    library = 라이브러리
    titleDetail = 작품 정보
    signUp = 가입하기
    gallery = 화면 이동 모음
    didAppear = 화면 나타남
    didDisappear = 화면 사라짐
    retry = 다시 시도
    refresh = 새로고침
    reachedEnd = 더 보기
    cancel = 취소
    save = 저장
    confirm = 확인
    closeTapped = 닫기
    isLoading = 불러오는 중
    isSaving = 저장 중
    isSearching = 검색 중
    isStale = 저장된 목록
    staleSince = 불러온 시각
    hasMore = 더 있음
    failed = 오류
    failure = 오류
    finished = 완료
    title = 제목
    subtitle = 부제목
    image = 이미지
    name = 이름
    nameError = 이름 오류
    nameText = 이름 | 이름을 입력하세요
    avatars = 아바타
    account = 계정
    avatarTapped = 대화하기
    createAccountTapped = 계정 만들기
    createAvatarTapped = 아바타 만들기
    editProfileTapped = 프로필 수정
    settingsTapped = 설정
    sections = 구역
    map.boundsChanged = 보이는 영역
    map.sortBy = 정렬
    map.placeTapped = 장소 보기
    map.searchBarTapped = 검색
    map.searchBackTapped = 검색으로 돌아가기
    map.locateTapped = 내 위치
    map.sheetDetentChanged = 시트 높이
    map.places = 장소
    map.markers = 핀
    map.sheetDetent = 시트 높이
    map.center = 지도 중심
    map.details = 상세 정보
    placeSearch.queryText = 검색 | 장소 이름
    placeSearch.placeTapped = 장소 선택
    placeSearch.query = 검색어
    placeSearch.results = 검색 결과
    placeDetail.place = 장소
    placeDetail.properties = 상세 정보
    placeDetail.categoryTitle = 분류
    placeDetail.distance = 거리
    placeDetail.distanceText = 거리
    placeDetail.direction = 방향
    placeDetail.directionText = 방향
    explore.categoryTapped = 카테고리 보기
    explore.devSettingsTapped = 개발자 설정
    explore.pushPermissionTapped = 알림 켜기
    explore.categories = 카테고리
    explore.categoryRow = 카테고리 위치
    explore.featured = 추천 아바타
    explore.featuredFailure = 추천 아바타 오류
    explore.isLoadingFeatured = 추천 아바타 불러오는 중
    explore.popular = 인기 아바타
    explore.popularFailure = 인기 아바타 오류
    explore.isLoadingPopular = 인기 아바타 불러오는 중
    explore.isPopularStale = 저장된 인기 아바타
    explore.popularStaleSince = 인기 아바타를 불러온 시각
    explore.showsCreateAccount = 계정 만들기 표시
    explore.showsPushPermission = 알림 켜기 표시
    chats.chatTapped = 채팅 열기
    chats.deleteTapped = 삭제
    chats.undoTapped = 실행 취소
    chats.chats = 채팅 목록
    chats.deleted = 삭제한 채팅
    chat.messageText = 메시지 | 메시지를 입력하세요
    chat.send = 보내기
    chat.stop = 중지
    chat.shareTapped = 공유
    chat.avatar = 대화 상대
    chat.messages = 메시지
    chat.isReplying = 답장 쓰는 중
    chat.isSendEnabled = 보내기 가능
    chat.sent = 보냄
    createAvatar.nameText = 이름 | 아바타 이름
    createAvatar.descriptionText = 소개 | 어떤 아바타인가요?
    createAvatar.categoryPicked = 카테고리
    createAvatar.categories = 카테고리
    createAvatar.category = 카테고리
    createAvatar.isSaveEnabled = 저장 가능
    createAvatar.portrait = 초상화
    createAccount.signUpTapped = 가입하기
    createAccount.notNowTapped = 나중에
    createAccount.isSigningIn = 로그인 중
    editProfile.picturePicked = 사진
    editProfile.picture = 사진
    editProfile.pictures = 사진 종류
    settings.notificationsSwitched = 알림
    settings.signOutTapped = 로그아웃
    settings.deleteAccountTapped = 계정 삭제
    settings.notifications = 알림
    settings.reminders = 예정된 알림
    devSettings.categoryRowPicked = 카테고리 위치
    devSettings.createAccountPromptPicked = 계정 만들기 안내
    devSettings.events = 이벤트
    devSettings.overrides = 직접 정한 값
    devSettings.tests = 실험
    customModal.primaryButtonTapped = 첫 번째 버튼
    customModal.secondaryButtonTapped = 두 번째 버튼
    customModal.primaryButton = 첫 번째 버튼
    customModal.secondaryButton = 두 번째 버튼
    pokedex.pokemonTapped = 포켓몬 보기
    pokedex.searchText = 검색 | 포켓몬 이름
    pokedex.pokemon = 포켓몬
    pokedex.results = 검색 결과
    pokedex.areResultsStale = 저장된 검색 결과
    pokedex.resultsStaleSince = 검색 결과를 불러온 시각
    pokemonDetail.detail = 포켓몬 정보
    library.cardTapped = 작품 보기
    library.bookmarkTapped = 북마크
    library.shelves = 책장
    titleDetail.playTapped = 재생
    titleDetail.pauseTapped = 일시 정지
    titleDetail.seek = 재생 위치
    titleDetail.bookmarkTapped = 북마크
    titleDetail.detail = 작품 정보
    titleDetail.isPlaying = 재생 중
    signUp.emailText = 이메일 | kim@example.com
    signUp.confirm = 가입하기
    signUp.isConfirmEnabled = 가입 가능
    gallery.push = 밀어 넣기
    gallery.pushAll = 여러 개 밀어 넣기
    gallery.unique = 하나만 밀어 넣기
    gallery.sheet = 시트
    gallery.cover = 전체 화면
    gallery.modal = 모달
    gallery.stubbornModal = 버튼으로만 닫는 모달
    gallery.enqueue = 대기열에 넣기
    gallery.showNext = 다음 화면
    gallery.swapRoot = 첫 화면 바꾸기
    gallery.finish = 완료
    gallery.close = 닫기
    gallery.closeCount = 여러 개 닫기
    gallery.closeStack = 스택 닫기
    gallery.closeModals = 모달 닫기
    gallery.closeAll = 모두 닫기
    gallery.closeAbove = 위 화면 닫기
    gallery.alert = 알림창
    gallery.confirm = 확인창
    gallery.guarded = 나가기 전에 묻기
    gallery.label = 방 이름
    gallery.ended = 닫힌 방
    gallery.answer = 답
    app = 앱
    runningReplies = 쓰고 있는 답장
    address = 주소
    at = 시각
    author = 쓴 사람
    badge = 배지
    body = 내용
    canBeBookmarked = 북마크 가능
    canPlay = 재생 가능
    cards = 작품
    category = 분류
    cutReason = 끊긴 이유
    description = 소개
    detents = 높이
    distance = 거리
    distanceText = 거리
    email = 이메일
    facts = 정보
    height = 키
    heightText = 키
    isBookmarked = 북마크됨
    isCut = 끊김
    isStreaming = 받는 중
    label = 항목
    lastMessage = 마지막 메시지
    lat = 위도
    lng = 경도
    localName = 다른 이름
    message = 내용
    picture = 사진
    pieces = 내용
    progress = 진행률
    rating = 평점
    reason = 이유
    region = 지역
    retryable = 다시 시도 가능
    section = 구역
    style = 모양
    time = 시각
    to = 위치
    typeNames = 타입
    types = 타입
    value = 값
    weight = 몸무게
    weightText = 몸무게
    PlaceSort.distance = 거리순
    PlaceSort.rating = 평점순
    PlaceSort.name = 이름순
    SheetDetent.tip = 낮게
    SheetDetent.half = 중간
    SheetDetent.full = 높게
    AvatarCategory.cooks = 요리사
    AvatarCategory.travelers = 여행자
    AvatarCategory.scientists = 과학자
    AvatarCategory.artists = 예술가
    AvatarCategory.animals = 동물
    AvatarCategory.machines = 기계
    CategoryRowOption.original = 추천 아바타 아래
    CategoryRowOption.top = 맨 위
    CategoryRowOption.hidden = 숨김
    NotificationStatus.notAsked = 묻지 않음
    NotificationStatus.on = 켬
    NotificationStatus.off = 끔
    CardStyle.poster = 포스터
    CardStyle.thumbnail = 미리 보기
    Author.me = 나
    Author.avatar = 아바타
    """)
}
