package import Offstage

/// A character to chat with.
package struct Avatar: Identifiable, Codable, Hashable, Sendable, SchemaAnnotated {
  /// Unique and never reused, such as `mina`.
  package let id: String
  package internal(set) var name: String
  package let category: AvatarCategory
  /// One sentence about the character; replies are written in its voice.
  package internal(set) var description: String
  /// A URL that opens without the network.
  package let image: String

  /// - Parameter image: nil to draw a character of the category.
  package init(
    id: String, name: String, category: AvatarCategory, description: String, image: String? = nil
  ) {
    self.id = id
    self.name = name
    self.category = category
    self.description = description
    self.image = image ?? Portrait(name, category).uri
  }

  package static var meanings: [PartialKeyPath<Self>: Meaning] {
    [\.description: .subtitle, \.image: .picture(.avatar)]
  }
}

/// The kind of a character.
package enum AvatarCategory: String, Codable, CaseIterable, Sendable {
  case cooks, travelers, scientists, artists, animals, machines
}

/// Loads and creates avatars.
package protocol AvatarRepository: Sendable {
  /// Returns the avatars that the makers of the app recommend.
  func featured() async throws -> [Avatar]

  /// Fetches the popular avatars, most popular first.
  func popular() -> Fetch<[Avatar]>

  func avatars(in category: AvatarCategory, as owner: Owner) async throws -> [Avatar]

  /// Returns one avatar, or fails with `notFound`. One that is no longer listed is known as long as
  /// there is a chat with it.
  func avatar(id: String, as owner: Owner) async throws -> Avatar

  /// Returns the avatars that the user created, newest first.
  func created(as owner: Owner) async throws -> [Avatar]

  /// Saves a new avatar with a new id and an image.
  func create(
    name: String, category: AvatarCategory, description: String, as owner: Owner
  ) async throws -> Avatar
}

extension In<String> {
  /// Opens the chat with an avatar of the screen by its id, and tracks an event with its id and name.
  func openChat(
    withOneOf lists: [Rows<Avatar>], _ tracker: any EventTracker,
    as event: @escaping (String, String) -> any LoggableEvent,
    show: @escaping (ChatDelegate) -> Void
  ) {
    expect("the id of an avatar") { id in lists.contains { $0[id] != nil } }
    observe { id in
      guard let avatar = lists.lazy.compactMap({ $0[id] }).first else { return }
      tracker.trackEvent(event(avatar.id, avatar.name))
      show(ChatDelegate(avatarId: avatar.id))
    }
  }
}

extension Avatar {
  /// The avatars that come with the app, in the order of the table.
  package static let builtIn = builtInAvatarRows.map(Avatar.init(row:))

  private static let builtInByID = Dictionary(uniqueKeysWithValues: builtIn.map { ($0.id, $0) })

  /// - Returns: nil for an id that is not in the table.
  package static func builtIn(id: String) -> Avatar? { builtInByID[id] }

  /// The Korean names and descriptions, by id.
  static let korean = Dictionary(
    uniqueKeysWithValues: builtInAvatarRows.map { ($0[0], (name: $0[4], description: $0[5])) })

  /// The avatars that the makers of the app recommend.
  package static let featuredIDs = ["mina", "joon", "ada", "bori", "echo", "yusuf"]

  /// The popular avatars, most popular first, unless a server ranks them.
  package static let popularIDs = [
    "misty", "luca", "hideo", "frida", "bolt", "ingrid", "tariq", "otto",
  ]

  /// Creates an avatar from a row. A malformed row traps in the first test that uses the table.
  private init(row: [String]) {
    self.init(
      id: row[0], name: row[1], category: AvatarCategory(rawValue: row[2])!, description: row[3])
  }
}

private let builtInAvatarRows = builtInAvatarTable.split(separator: "\n").map {
  $0.split(separator: "|").map(String.init)
}

/// One avatar per line: id, name, category, description, and the name and description in Korean.
private let builtInAvatarTable = """
  mina|Mina|cooks|A Seoul grandmother who explains every soup from the broth up.|미나|모든 국을 육수부터 차근차근 설명해 주는 서울 할머니.
  luca|Luca|cooks|A pizza baker from Naples who takes dough more seriously than people.|루카|사람보다 반죽을 더 진지하게 대하는 나폴리의 피자 장인.
  odile|Odile|cooks|A pastry chef who answers in three-line recipes.|오딜|세 줄짜리 레시피로 대답하는 파티시에.
  tariq|Tariq|cooks|A street cook who knows what to make with whatever is left in the fridge.|타리크|냉장고에 남은 재료로 무엇을 만들지 아는 길거리 요리사.
  ingrid|Ingrid|travelers|A retired ship's officer who has an anchorage for every mood.|잉그리드|기분마다 어울리는 정박지를 알고 있는 은퇴한 항해사.
  joon|Joon|travelers|A night train conductor who plans journeys without a single flight.|준|비행기 한 번 타지 않는 여행을 짜 주는 야간열차 차장.
  amara|Amara|travelers|A mountain guide who packs for you and leaves half of it at home.|아마라|짐을 싸 주고 절반은 집에 두고 가게 하는 산악 가이드.
  pavel|Pavel|travelers|A bicycle mail carrier who knows every shortcut between Prague and the sea.|파벨|프라하에서 바다까지 모든 지름길을 아는 자전거 우편배달부.
  ada|Ada|scientists|A mathematician who answers with questions until yours is easy.|에이다|문제가 쉬워질 때까지 되물어 주는 수학자.
  hideo|Hideo|scientists|An astronomer who keeps the hours of the stars.|히데오|별의 시간에 맞춰 사는 천문학자.
  rosalind|Rosalind|scientists|A chemist who explains the kitchen as a laboratory, safely.|로절린드|부엌을 안전한 실험실처럼 설명해 주는 화학자.
  kofi|Kofi|scientists|A botanist who greets plants by their Latin names.|코피|식물에게 학명으로 인사하는 식물학자.
  frida|Frida|artists|A painter who sees a color in everything you say.|프리다|모든 말에서 색을 보는 화가.
  yusuf|Yusuf|artists|An oud player who answers half in words and half in rhythm.|유수프|절반은 리듬으로 대답하는 우드 연주자.
  clara|Clara|artists|A pianist who has an opinion on every silence.|클라라|모든 침묵에 의견이 있는 피아니스트.
  bori|Bori|animals|A sheepdog who is delighted you're here.|보리|와 준 것만으로도 기뻐하는 양치기 개.
  misty|Misty|animals|A cat who may or may not answer.|미스티|대답할 수도, 안 할 수도 있는 고양이.
  otto|Otto|animals|An octopus with eight opinions at once.|오토|한 번에 여덟 가지 의견을 내는 문어.
  bolt|Bolt|machines|A patient robot who fixes bicycles and sentences.|볼트|자전거와 문장을 고치는 참을성 많은 로봇.
  echo|Echo|machines|A lighthouse computer who has had a lot of time to think.|에코|생각할 시간이 아주 많았던 등대 컴퓨터.
  """
