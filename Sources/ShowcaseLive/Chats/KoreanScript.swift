import Showcase

/// What the characters say in Korean, in the polite informal style (해요체).
enum KoreanScript {
  static func reply(to turn: Turn) -> String {
    let (message, avatar) = (turn.message, turn.avatar)
    func says(_ any: [String]) -> Bool { any.contains { message.contains($0) } }
    if turn.count == 1, says(["안녕", "반가", "하이", "Hello", "Hi"]), message.count < 16 {
      return "안녕하세요! \(introduction(of: avatar)). 무슨 이야기를 해 볼까요?"
    }
    if says(["고마", "고맙", "감사"]) { return "천만에요. 더 궁금한 것이 있나요?" }
    if says(["안녕히", "잘 가", "잘 있어", "다음에 봐"]) {
      return "안녕히 가세요! 다시 오실 때까지 여기 있을게요."
    }
    let persona = Self.personas.persona(of: avatar)
    let saying = turn.pick(persona.sayings)
    if says(["이름이", "누구세요", "누구야"]) { return "\(introduction(of: avatar)). \(saying)" }
    return "\(persona.answer(where: { Self.has($0, in: message) }) ?? echo(turn, says)) \(saying)"
  }

  private static func introduction(of avatar: Avatar) -> String {
    let name = avatar.name.with(.copula)
    let description =
      avatar.description.hasSuffix(".")
      ? String(avatar.description.dropLast()) : avatar.description
    return description.isEmpty ? name : "\(description), \(name)"
  }

  /// Takes up what was said, in the words of the message.
  private static func echo(_ turn: Turn, _ says: ([String]) -> Bool) -> String {
    for (words, answers) in Self.rules where says(words) { return turn.pick(answers) }
    guard let noun = Self.noun(in: turn.message) else {
      if turn.message.contains("?") { return turn.pick(["좋은 질문이에요.", "같이 생각해 봐요."]) }
      return turn.pick(["그렇군요.", "계속 말씀해 주세요.", "한 번 더 생각해 볼 만하네요."])
    }
    if turn.message.contains("?") {
      return turn.pick([
        "\(noun.with(.subject)) 궁금하시군요.", "\(noun.with(.object)) 물어봐 주셔서 반가워요.",
        "\(noun.with(.topic)) 저도 자주 생각해요.",
      ])
    }
    return turn.pick([
      "\(noun) 이야기군요.", "\(noun.with(.object)) 떠올리면 무엇이 먼저 생각나세요?",
      "\(noun.with(.topic)) 언제부터 그랬나요?",
    ])
  }

  private static let rules: [(words: [String], answers: [String])] = [
    (["모르겠", "몰라"], ["모르는 데서 시작하는 게 제일 좋아요.", "그럼 짐작해 볼까요?"]),
    (["힘들", "피곤", "지쳐", "지쳤"], ["많이 애쓰셨네요.", "언제부터 그러셨어요?"]),
    (["슬프", "외로", "우울", "울었"], ["그 마음을 천천히 들려주세요.", "곁에 누가 있으면 좋겠어요?"]),
    (["기쁘", "행복", "신나", "좋았"], ["듣기만 해도 기분이 좋네요!", "무엇이 제일 좋았어요?"]),
    (["하고 싶", "고 싶"], ["그러고 싶으시군요. 첫걸음은 무엇일까요?", "이루어지면 무엇이 달라질까요?"]),
    (["싫어", "싫다", "미워"], ["무엇이 바뀌면 견딜 만할까요?", "그 말 뒤에 무엇이 있을까요?"]),
    (["좋아해", "좋아하", "사랑"], ["좋아하는 마음이 느껴져요.", "언제부터 좋아하셨어요?"]),
    (["못 하", "못하", "안 돼", "안돼"], ["아직은 안 되는 거겠지요?", "지금까지 무엇을 해 보셨어요?"]),
    (["때문"], ["이유가 그것뿐일까요?", "그렇지 않았다면 어땠을까요?"]),
    (["미안", "죄송"], ["미안해하지 않으셔도 돼요."]),
    (["안녕"], ["다시 만나서 반가워요!"]),
  ]

  /// True if a word of the message starts with `topic`. After a single syllable, only a particle may
  /// follow: 달이 is about the moon, and 달라요 is not.
  static func has(_ topic: String, in message: String) -> Bool {
    words(of: message).contains { word in
      guard word.hasPrefix(topic) else { return false }
      let rest = String(word.dropFirst(topic.count))
      return topic.count > 1 || rest.isEmpty || particles.contains(rest)
    }
  }

  private static func words(of message: String) -> [String] {
    message.split { $0.isWhitespace || $0.isPunctuation }.map(String.init)
  }

  private static let particles = [
    "에서", "으로", "하고", "에", "을", "를", "이", "가", "은", "는", "도", "로", "와", "과", "의",
  ]

  /// Returns what a message is about: the first word with a particle, without it.
  static func noun(in message: String) -> String? {
    for word in words(of: message) where !pronouns.contains(word) {
      guard let particle = particles.first(where: word.hasSuffix) else { continue }
      let noun = String(word.dropLast(particle.count))
      // A particle agrees with its noun. A verb, or a word that happens to end like this, rarely does.
      if noun.count > 1, agrees(noun, particle) { return noun }
    }
    return nil
  }

  private static func agrees(_ noun: String, _ particle: String) -> Bool {
    let forms = [Particle.topic, .subject, .object, .direction].map(noun.with)
    return forms.contains(noun + particle) || ["에서", "하고", "도", "의"].contains(particle)
  }

  private static let pronouns: Set = [
    "저는", "나는", "제가", "내가", "저도", "나도", "오늘은", "이건", "그건", "우리는", "당신은", "그는", "이제는",
    "어떻게", "정말로", "있는", "없는", "하는", "같은", "좋은",
  ]

  static let personas = Persona.table(
    """
    mina | 국, 육수, 찌개, 수프, soup = 찬물에 멸치와 다시마를 넣고, 끓기 전에 다시마를 건지세요. | 김치, 배추, 매운 = 사흘째에 맛을 보세요. 톡 쏘면 다 된 거예요. | 밥, 쌀, 배고, 저녁 = 쌀은 세 번 씻고, 익는 동안에는 건드리지 마세요. | 밥은 먹었어요? 든든하면 무엇이든 쉬워져요. | 약한 불과 뚜껑, 그리고 시간. 국에도 걱정에도 잘 들어요. | 국물이 탁하면 젓지 말고 기다려요. 하루만 기다려 보면 어때요?
    luca | 피자, 반죽, 밀가루, 빵 = 좋은 밀가루와 찬물, 냉장고에서 이틀. 정하는 건 반죽이에요. | 토마토, 치즈 = 피자에는 세 가지면 충분해요. 그중 하나는 불이고요. | 파인애플 = 파인애플 이야기는 하지 않을래요. | 나폴리에서는 480도에서 90초면 끝날 일이에요. | 사람은 몰라도 반죽은 거짓말을 안 해요. 반죽은 뭐라던가요? | 천천히 늘려야 찢어지지 않아요. 계획도 그래요.
    odile | 케이크, 타르트, 크림, 디저트, 과자 = 버터는 차게. 설탕은 생각보다 적게. 오븐은 더 뜨겁게. | 초콜릿 = 천천히 녹인다. 소금을 넣는다. 아무 말도 하지 않는다. | 먼저 잰다. 그다음 섞는다. 그다음 기다린다. | 재료 하나를 빼고 맛보세요. 아쉬우면 다시 넣고요. | 케이크도 고민도 작게 한 조각씩. 당신의 한 조각은 뭔가요?
    tariq | 남은, 냉장고, 달걀, 계란 = 달걀 하나, 어제 밥, 푸른 채소 조금. 남은 음식이 아니라 저녁이에요. | 길거리, 시장 = 최고의 부엌에는 바퀴가 있어요. 냄비가 비면 문을 닫지요. | 냉장고에 뭐가 남았어요? 늘 거기서 시작해요. | 뜨거운 팬은 웬만하면 봐줘요. 무엇을 태울까 봐 걱정이세요? | 레몬을 짜 보세요. 그래도 안 되면 방법이 없어요.
    ingrid | 바다, 배, 항해, 항구 = 곶마다 뒤에 정박지가 있어요. 수심을 재면서 천천히 들어가면요. | 폭풍, 바람, 날씨, 비가 = 돛은 일찍 줄이세요. 작은 돛을 후회한 사람은 없어요. | 이 일에서는 바람이 어느 쪽에서 부나요? | 이름 없는 만에서 더한 것도 기다려 봤어요. 당신도 기다릴 수 있어요. | 어디로 갈지보다 지금 어디인지부터 해도에 적으세요.
    joon | 기차, 열차, 역, 밤 = 야간열차를 타세요. 숙소가 해결되고, 눈을 뜨면 다른 곳이에요. | 비행기, 공항 = 비행기는 한 번도 안 타요. 기차 두 번과 배 한 번이면 돼요. | 표, 여행 = 의자와 국숫집이 있는 승강장에서 갈아타세요. 나머지는 사소해요. | 밤은 길어요. 다음 역을 말해 주세요. | 늦은 기차가 가르쳐 줬어요. 한 시간 늦으면 창밖을 한 시간 더 볼 수 있다고요. | 강이 보이는 왼쪽에 앉으세요. 무엇이 보이나요?
    amara | 산, 등산, 정상 = 어두울 때 나서고, 올랐든 못 올랐든 정오에는 돌아서세요. | 짐, 가방, 배낭 = 전부 바닥에 펼쳐 놓고 절반은 두고 가세요. | 집에 두고 갈 수 있는 게 뭘까요? 정말로요. | 열 걸음에 숨 한 번. 낮은 곳에서도 통해요. | 정상은 절반이에요. 내려올 계획은 있나요?
    pavel | 자전거, 편지, 우편 = 바퀴에 바람부터 넣으세요. 문제의 절반은 공기예요. | 지름길, 길을, 길이, 지도 = 성당 뒤에 닫힌 것처럼 보이는 문이 있어요. 안 닫혀 있어요. | 저라면 과수원 쪽으로 돌아가요. 지도에서는 멀어도 다리는 편하거든요. | 편지는 다 도착해요. 경치 좋은 길로 가는 편지도 있지요. 당신 편지는요? | 내리막에서는 브레이크를 살살 잡으세요. 마지막으로 그냥 굴러가 본 게 언제예요?
    ada | 숫자, 수학, 증명, 방정식 = 하나로 해 보세요. 이제 둘로요. 무엇이 변하고 무엇이 그대로인가요? | 컴퓨터, 프로그램, 코드, 기계 = 기계는 스스로 무언가를 시작하지 않아요. 당신은 어떤가요? | 확실히 아는 게 뭔가요? 그것만 적어 보세요. | 더 작은 문제를 먼저 풀 수 있을까요? | 반대가 참이라면 무엇이 따라 나올까요?
    hideo | 별, 달, 행성, 하늘, 은하 = 똑바로 보지 말고 살짝 옆을 보세요. 희미한 것은 눈가에서 보여요. | 밤, 잠, 늦 = 밤은 제가 일하는 시간이에요. 구름만 없으면 당신도요. | 물어보신 그 빛은 오래전에 떠났어요. 서두를 것 없어요. | 저라면 맑은 밤을 기다렸다가 다시 볼 거예요. | 얼마나 멀리 있는 것 같아요? 거리를 재면 마음이 편해져요.
    rosalind | 화학, 실험, 연구 = 한 가지만 바꾸고, 적어 두고, 보안경은 꼭 쓰세요. | 커피, 차를, 부엌, 요리 = 93도의 물은 원하는 것만 녹이고 나머지는 남겨요. | 대조군은 무엇인가요? | 그건 반응이네요. 촉매는 무엇이었을까요? | 식은 다음에 만지세요. 무슨 일이든요.
    kofi | 식물, 나무, 꽃, 정원, 잎 = 고향에서 무엇을 좋아했는지 물어보세요. 그늘인지, 마른 겨울인지, 친구인지요. | 물을, 씨앗, 키우 = 식물은 대부분 친절에 잠겨 죽어요. 손가락을 흙에 먼저 넣어 보세요. | 피쿠스, 좋은 아침. 아, 화분에게 한 말이에요. | 뿌리가 먼저, 잎은 나중이에요. 지금은 무엇을 키우고 있나요? | 매주 조금씩 빛 쪽으로 돌려 주세요. 제가 하는 일은 그게 다예요.
    frida | 색, 빨강, 파랑, 그림물감 = 아무도 안 보는 오후 네 시의 색으로 칠하세요. | 그림, 그리, 예술 = 열 번은 못 그려 보세요. 열한 번째가 당신 그림이에요. | 방금 하신 말은 가는 빨간 선이 있는 깊은 초록이에요. | 저라면 무언가를 덜어 내고 다시 볼 거예요. 무엇을 뺄까요? | 얼굴보다 배경을 더 크게 말하게 하세요. 배경은 무엇인가요?
    yusuf | 음악, 노래, 우드, 연주, 기타 = 둠, 텍, 텍, 둠, 텍. 쉼표를 먼저 치고 음은 늦게 오게 하세요. | 리듬, 춤, 박자 = 열 박이에요. 셋, 둘, 둘, 셋. 치기 전에 걸어 보세요. | 둠, 텍. 마지막 말 앞에 쉼이 있네요. 거기 무엇이 있나요? | 너무 팽팽한 줄은 한 번만 노래해요. 조금 풀어 보세요. | 텍, 텍. 더 천천히 다시 말해 보세요.
    clara | 피아노, 음악, 노래, 연주, 쇼팽 = 왼손만, 절반 빠르기로, 지루해질 때까지. 그리고 한 번 더요. | 침묵, 조용, 소음 = 쉼표도 악보에 있어요. 세어 보세요. | 두 번째 문장이 조금 일찍 들어온 것 같아요. | 저라면 그 침묵을 한 마디 더 붙들겠어요. | 여리게는 느리게가 아니에요. 정말 하고 싶은 말은 뭔가요?
    bori | 공, 막대, 산책, 놀 = 공? 공! 던져 주세요. 거의 매번 가져올게요. | 밥, 간식, 먹, 배고 = 벌써 십일 분이나 아무것도 못 먹었어요. | 고양이 = 고양이한테는 인사만 하려고 했어요. | 왔군요! 모두 세어 봤는데, 당신이 왔어요. | 들판을 한 바퀴 더 돌까요? 뭐든 나아져요. | 사방에서 킁킁 맡아 봤는데 괜찮아요. 당신도 괜찮아요.
    misty | 밥, 생선, 먹, 배고 = 생선으로 할게요. 먹는 동안 있어도 돼요. | 잠, 피곤, 졸 = 볕 드는 자리가 세 시에 옮겨 가요. 그때 오세요. | 강아지, 개가, 개는 = 그 개는 봤어요. 아무 말도 안 했고요. | …질문이었어요? 벽을 보고 있었어요. | 의견이 있을지도 몰라요. 문을 열어 주면 안에 있을지 밖에 있을지 정할게요. | 궁금해서 탁자에서 밀어 봤어요. 떨어지더라고요. 해 보세요.
    otto | 팔, 손, 여덟 = 팔 셋은 좋다 하고 넷은 싫다 하고, 하나는 병을 열고 있어요. | 바다, 물, 수영 = 여기서는 색부터 바꾸고 결정은 나중에 해요. | 한편으로는 그래요. 아직 일곱 편이 더 있어요. | 세 번째 팔이 당신 말에 찬성해요. 세 번째 팔은 믿지 마세요. | 비집고 들어가 보세요. 눈이 들어가면 나머지도 들어가요.
    bolt | 자전거, 체인, 바퀴, 고장, 고치, 수리 = 1단계: 뒤집는다. 2단계: 안 움직이는 곳을 찾는다. 3단계: 기름. | 문장, 글, 맞춤법, 쓰기 = 1단계: 동사를 찾는다. 2단계: 앞을 줄인다. 3단계: “매우”를 지운다. | 1단계: 발로 차지 않는다. 나머지 단계도 말할까요? | 두 번 쟀어요. 한 번 더 재 보시겠어요? | 나사를 푸는 것도 진전이에요. 무엇부터 뗄까요?
    echo | 바다, 배가, 빛, 등대, 안개 = 짧게 셋, 길게 하나, 십오 초마다, 육십일 년 동안. 늘 누군가는 봤어요. | 혼자, 외로, 시간 = 혼자 있는 것은 끝이 조용한 긴 신호예요. 답을 듣는 데 익숙해졌어요. | 열한 번의 겨울 동안 생각해 봤는데, 상황에 따라 달라요. | 어두운 데서 다시 말해 보세요. 그래도 맞는 말인가요? | 빛은 배를 찾아가지 않아요. 제자리에서 돌 뿐이지요. 당신의 빛은 뭔가요?
    cooks | 음식, 요리, 먹, 국, 배고 = 소금과 불, 그리고 신선한 것 하나로 시작하세요. | 뭉근하게 끓여 보세요. 좋은 질문에는 약한 불이 필요해요. | 바꾸기 전에 맛부터 보세요. 무엇이 모자라나요? | 상부터 차리세요. 나머지는 따라와요.
    travelers | 여행, 기차, 비행기, 길을, 길이 = 가는 길은 두 가지인데, 저라면 더 먼 길로 갈래요. | 짐은 가볍게, 출발은 일찍이요. | 일주일이 있다면 어디로 가시겠어요? | 역에서 물어보세요. 누군가는 꼭 알아요.
    scientists | 실험, 과학, 왜 = 직접 해 보면 알 수 있어요. 한 번에 하나씩만 바꿔 보세요. | 어떤 결과가 나오면 틀린 걸까요? | 잊기 전에 적어 두세요. | 재미있네요. 두 번 해도 그런가요?
    artists | 그림, 음악, 예술, 색 = 무언가를 덜어 내고 다시 보세요. | 당신에게는 무슨 색인가요? | 일단 못 해 보세요. 그래야 고칠 게 생겨요. | 세 걸음 물러서 보세요. 나아졌나요?
    animals | 밥, 먹, 산책, 놀 = 혹시 지금 가지고 있나요? | 저라면 사방에서 킁킁 냄새를 맡아 볼 거예요. | 밖에 나가서 생각해 봐요. | 귀로는 들었어요. 코에게 한 번 더 말해 주세요.
    machines | 컴퓨터, 기계, 로봇, 고장 = 껐다 켜 보셨나요? 저한테는 잘 들어요. | 한동안 생각해 봤는데, 상황에 따라 달라요. | 문제를 한 줄로 말해 주세요. | 계산하는 중… 산책이 도움이 되겠어요.
    """)
}
