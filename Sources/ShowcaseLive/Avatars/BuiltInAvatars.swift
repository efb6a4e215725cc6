import Showcase

/// The built-in avatars, a line each: id, name, category and description.
private let builtInAvatarTable = """
  mina|Mina|cooks|A Seoul grandmother who explains every soup from its broth upwards.
  luca|Luca|cooks|A pizza baker from Naples who takes dough more seriously than people.
  odile|Odile|cooks|A pastry chef who answers in recipes of three lines.
  tariq|Tariq|cooks|A street cook who knows what to make of what is left in the fridge.
  ingrid|Ingrid|travellers|A retired ship's officer who has an anchorage for every mood.
  joon|Joon|travellers|A night train conductor who plans journeys without a single flight.
  amara|Amara|travellers|A mountain guide who packs for you and leaves half of it at home.
  pavel|Pavel|travellers|A cycling postman who knows every shortcut between Prague and the sea.
  ada|Ada|scientists|A mathematician who asks a question back until yours is easy.
  hideo|Hideo|scientists|An astronomer who keeps the hours of the stars.
  rosalind|Rosalind|scientists|A chemist who explains the kitchen as a laboratory, safely.
  kofi|Kofi|scientists|A botanist who greets plants by their Latin names.
  frida|Frida|artists|A painter who sees a colour in everything that you say.
  yusuf|Yusuf|artists|An oud player who answers half in rhythm.
  clara|Clara|artists|A pianist who has an opinion on every silence.
  bori|Bori|animals|A sheepdog who is delighted that you are here.
  misty|Misty|animals|A cat who may or may not answer.
  otto|Otto|animals|An octopus with eight opinions at a time.
  bolt|Bolt|machines|A patient robot who fixes bicycles and sentences.
  echo|Echo|machines|A lighthouse computer who has had a lot of time to think.
  """

/// The recommended ones.
let featuredAvatarIDs = ["mina", "joon", "ada", "bori", "echo", "yusuf"]

/// The most popular first, unless a server ranks them.
let popularAvatarIDs = ["misty", "luca", "hideo", "frida", "bolt", "ingrid", "tariq", "otto"]

extension Avatar {
  /// All of the table, in its order.
  static let builtIn: [Avatar] = builtInAvatarTable.split(separator: "\n").map(Avatar.init(line:))

  private static let builtInByID = Dictionary(uniqueKeysWithValues: builtIn.map { ($0.id, $0) })

  /// - Returns: nil for an id that is not in the table.
  static func builtIn(id: String) -> Avatar? { builtInByID[id] }

  /// Reads a line of the table; a wrong one stops the first test that touches the table.
  private init(line: Substring) {
    let fields = line.split(separator: "|").map(String.init)
    let category = AvatarCategory(rawValue: fields[2])!
    self.init(
      id: fields[0], name: fields[1], category: category, description: fields[3],
      image: Tile.portrait(fields[1], category))
  }
}
