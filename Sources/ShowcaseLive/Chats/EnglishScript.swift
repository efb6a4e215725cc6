import OffstageFoundation
import RegexBuilder
import Showcase

/// What the characters say in English.
enum EnglishScript {
  static func reply(to turn: Turn) -> String {
    let message = turn.message
    let words = Set(Self.words(of: message))
    let persona = Self.personas.persona(of: turn.avatar)
    func says(_ any: Set<String>) -> Bool { !words.isDisjoint(with: any) }
    if turn.count == 1, says(Self.greetings), words.count < 5 {
      return
        "Hi, I'm \(turn.avatar.name). \(turn.avatar.description) What should we talk about?"
    }
    if says(["thanks", "thank"]) { return "You're welcome! Is there anything else?" }
    if says(["bye", "goodbye"]) { return "Goodbye! I'll be here when you come back." }
    let saying = turn.pick(persona.sayings)
    if let answer = persona.answer(where: words.contains) { return "\(answer) \(saying)" }
    return "\(echo(turn, words)) \(saying)"
  }

  /// Takes up what was said, in the words of the message.
  private static func echo(_ turn: Turn, _ words: Set<String>) -> String {
    let message = turn.message
    if message.lowercased().contains("your name") || message.lowercased().contains("who are you") {
      return "I'm \(turn.avatar.name). \(turn.avatar.description)"
    }
    for rule in Self.rules {
      let start = rule[0].replacing(" *", with: "")
      guard let rest = Self.rest(of: message, after: start) else { continue }
      if start != rule[0] && rest.isEmpty { continue }
      return turn.pick(Array(rule.dropFirst())).replacing("*", with: Self.reflected(rest))
    }
    if message.contains("?") {
      let question = message.prefix { $0 != "?" }
      let last = question.split { ".!".contains($0) }.last.map(String.init) ?? ""
      let asked = Self.reflected(last)
      if !asked.isEmpty {
        return "\(asked.prefix(1).uppercased())\(asked.dropFirst())? Good question."
      }
    }
    if !words.isDisjoint(with: Self.greetings) { return "Hello again!" }
    return turn.pick(["I see.", "Go on.", "That's worth a second look."])
  }

  private static let greetings: Set = ["hi", "hello", "hey"]

  /// The answers to messages with a start such as `i feel`, of which `*` is what follows it. A rule with
  /// an `*` is for messages that go on.
  private static let rules = [
    ["i don't know", "Not knowing is a fine place to start.", "Guess, then: what would it be?"],
    ["i feel *", "How long have you felt *?", "Feeling * tells you something. What is it?"],
    ["i'm *", "You're *. Since when?", "So you're *. What brought that on?"],
    ["i am *", "You are *. Since when?", "So you are *. What brought that on?"],
    ["i want *", "You want *. What's the first small step?", "What would change if you got it?"],
    ["i need *", "You need *. What happens without it?", "Who could help you with that?"],
    ["i love *", "You love *, and it shows.", "What came first: the curiosity or the habit?"],
    ["i like *", "You like *, and it shows.", "What came first: the curiosity or the habit?"],
    ["i hate *", "You hate *. What would make it bearable?", "Strong words! What is behind them?"],
    ["i can't *", "You can't *, or not yet?", "What have you tried so far?"],
    ["i think *", "You think *. How sure are you?", "What speaks against it?"],
    ["you are *", "What makes you think I am *?", "And if I were not *?"],
    ["you're *", "What makes you think I'm *?", "And if I were not *?"],
    ["because *", "Is that the only reason?", "And if that were not so?"],
    ["my *", "Your *, you say. Tell me more.", "And what about your * matters most?"],
    ["sorry", "No need to be sorry."],
  ]

  /// Returns what follows some words up to the end of the sentence; nil if the text does not have them.
  static func rest(of message: String, after start: String) -> String? {
    let text = message.replacing("’", with: "'")
    guard let found = text.firstRange(of: Regex { start }.ignoresCase()) else { return nil }
    let isWord = { (at: String.Index?) in at.map { !text[$0].isLetter } ?? true }
    let before = found.lowerBound > text.startIndex ? text.index(before: found.lowerBound) : nil
    let after = found.upperBound < text.endIndex ? found.upperBound : nil
    guard isWord(before), isWord(after) else { return nil }
    let rest = text[found.upperBound...].prefix { !".,;:!?\n".contains($0) }
    return rest.trimmed
  }

  /// Returns a text from the other side: `my soup` becomes `your soup`.
  static func reflected(_ text: String) -> String {
    let words = text.split(separator: " ").map(String.init)
    return words.enumerated().map { index, word in
      let isLast = index == words.count - 1
      return switch word.lowercased().replacing("’", with: "'") {
      case "i", "me": "you"
      case "i'm": "you're"
      case "i've": "you've"
      case "my": "your"
      case "mine": "yours"
      case "myself": "yourself"
      case "am": "are"
      case "you": isLast && words.count > 1 ? "me" : "I"
      case "you're": "I'm"
      case "your": "my"
      case "yours": "mine"
      case "yourself": "myself"
      case "are" where index + 1 < words.count && words[index + 1].lowercased() == "you": "am"
      default: word
      }
    }.joined(separator: " ")
  }

  static func words(of message: String) -> [String] {
    message.lowercased().split { !$0.isLetter }.map(String.init)
  }

  static let personas = Persona.table(
    """
    mina | soup, broth, stock, stew = Start with cold water, dried anchovies, and kelp, and take the kelp out before it boils. | kimchi, cabbage, spicy = Taste it on the third day: if it talks back, it's ready. | rice, hungry, eat, dinner = Wash the rice three times, and leave it alone while it cooks. | Have you eaten? Everything is easier on a full stomach. | Low heat, a lid, and time: it works for soup and for most worries. | When my broth is cloudy, I wait before I stir. What if you waited a day?
    luca | pizza, dough, flour, bread = Good flour, cold water, two days in the fridge. The dough decides, not you. | tomato, cheese, mozzarella = Three things on a pizza are enough, and one of them is fire. | pineapple = We will not discuss the pineapple. | In Naples we'd settle this in ninety seconds at 480 degrees. | People lie. Dough never does. What does yours tell you? | Stretch it slowly, and don't tear it: that goes for plans, too.
    odile | cake, tart, cream, dessert, sweet = Butter, cold. Sugar, less than you think. Oven, hotter than you dare. | chocolate = Melt it slowly. Add salt. Say nothing. | First, weigh it. Then, mix it. Then, wait. | Take out one ingredient. Taste. Put it back only if you miss it. | Small portions, please: of cake and of trouble. What is yours?
    tariq | leftover, leftovers, fridge, egg, eggs = An egg, yesterday's rice, and something green: that is dinner, not a leftover. | street, market = The best kitchens have wheels, and close when the pot is empty. | What's left in your fridge? Start there, always. | A hot pan forgives a lot. What are you afraid of burning? | Squeeze a lemon over it. If that doesn't help, nothing will.
    ingrid | sea, ship, boat, sail, harbor = There's an anchorage behind every headland, if you come in slowly and keep the lead going. | storm, wind, weather, rain = Reef early. Nobody has ever regretted a small sail. | Which way is the wind from, in this matter of yours? | I've waited out worse in a bay without a name. You can wait, too. | Plot where you are before you plot where you're going.
    joon | train, trains, rail, station, night = Take the night train: you save a hotel, and wake up somewhere else. | plane, fly, flight, airport = Not one flight, I promise. Two trains and a ferry will do it. | ticket, travel, trip, journey = Change where the platform has a bench and a noodle stand. Everything else is detail. | We have all night. Tell me the next stop. | Late trains taught me this: an hour more is an hour to look out. | Sit on the left side, where the river is. What do you see?
    amara | mountain, climb, hike, summit, peak = Start in the dark, turn round at noon, whether you're up or not. | pack, bag, backpack = Put everything on the floor, and leave half of it there. | What can you leave at home? No, really: what? | Ten steps, one breath. It works below 4,000 meters, too. | The summit is halfway. What is your plan for the way down?
    pavel | bike, bicycle, cycle, mail, letter = Pump the tires first. Half of all problems are air. | shortcut, way, road, map = There's a gate behind the church that looks closed. It isn't. | I'd go round by the orchard: longer on paper, shorter in the legs. | Every letter gets there. Some take the scenic road. Which kind is yours? | Downhill, don't brake too much. When did you last let it roll?
    ada | number, numbers, math, proof, equation = Try it with one. Now with two. What changes, and what doesn't? | computer, program, code, machine = The engine has no pretensions to originate anything. Have you? | What do you know for certain? Write down only that. | Can you solve a smaller version of it first? | And if the opposite were true, what would follow?
    hideo | star, stars, planet, moon, sky, galaxy = Look a little beside it, not straight at it: faint things show at the edge of the eye. | night, sleep, late = Night is when I'm at work. The clouds permitting, so are you. | The light that you ask about left a long time ago. There is no hurry. | I'd wait for a clear night, and look again. | How far away is it, would you say? Distances calm people.
    rosalind | chemistry, experiment, laboratory, lab, acid = Change one thing, write it down, and keep your goggles on. | coffee, tea, kitchen, cook = Water at 93 degrees dissolves what you want, and leaves what you don't. | What is your control group? | That's a reaction. What was the catalyst? | Let it cool before you touch it. I mean that in general.
    kofi | plant, plants, tree, flower, garden, leaf = Ask what it wanted where it came from: shade, a dry winter, or company. | water, grow, seed = Most plants drown in kindness. Put a finger in the soil first. | Good morning, Ficus. Excuse me, I was talking to the plant. | Roots first, leaves later. Which are you growing now? | Turn it a little towards the light every week. That's all that I do.
    frida | color, colors, colour, red, blue, paint = Paint it the color that it has at four in the afternoon, when nobody looks. | picture, draw, art, beautiful = Draw it badly ten times. The eleventh is yours. | What you just said is a deep green, with a thin red line. | I'd leave something out, and look again. What can go? | Make the background louder than the face. What is the background here?
    yusuf | music, song, oud, play, guitar = Dum, tek, tek, dum, tek: play the rest and let the notes come late. | rhythm, dance, beat, drum = Ten beats: three, two, two, three. Walk it before you play it. | Dum, tek. I hear a pause before your last word. What's in it? | A string that's too tight sings once. Loosen it a little. | Tek, tek: say it again, slower.
    clara | piano, music, song, play, chopin = Left hand alone, half the speed, until it bores you. Then once more. | silence, quiet, noise = The rest is written, too. Count it. | Your second sentence came in early, I think. | I would hold that silence for one bar more. | Pianissimo is not slow. What are you really trying to say?
    bori | ball, stick, play, walk, park = Ball? BALL! Throw it. I'll bring it back, most of the time. | food, treat, eat, hungry = I have not eaten in almost eleven minutes. | cat = I only wanted to say hello to the cat. | You're here! I counted everybody, and you're here. | Shall we go round the field once more? It helps with everything. | I sniffed it from every side, and it's fine. You're fine.
    misty | food, fish, hungry, eat = I'll have the fish. You may stay while I eat. | sleep, tired, bed, nap = The sunny spot moves at three. Be there. | dog = I've seen the dog. I said nothing. | . . . Was that a question? I was looking at the wall. | I may have an opinion. Open the door, and I'll decide which side it's on. | I pushed it off the table, to see. It fell. Try that.
    otto | arm, arms, hand, hands, eight = Three arms say yes, four say no, and one is opening a jar. | sea, water, ocean, swim = Down here, you change color first and decide later. | On the one hand, yes. I have seven more. | My third arm agrees with you. Don't trust my third arm. | Squeeze through: if the eyes fit, the rest follows.
    bolt | bike, bicycle, chain, wheel, repair, broken, fix = Step 1: turn it upside down. Step 2: find what does not move. Step 3: oil. | sentence, word, write, grammar = Step 1: find the verb. Step 2: put it earlier. Step 3: delete “very”. | Step 1: don't kick it. Shall I list the other steps? | I've measured twice. Would you like to measure, too? | Unscrewing is also progress. What comes off first?
    echo | sea, ship, ships, light, lighthouse, fog = Three short, one long, every fifteen seconds, for sixty-one years: somebody has always seen it. | alone, lonely, time = Being alone is a long signal with a quiet end. I've got used to listening for the answer. | I have considered this for eleven winters, and it depends. | Say it again in the dark. Does it still sound right? | A light doesn't go to the ship. It stays where it is, and turns. What is your light?
    cooks | food, cook, eat, soup, dinner, hungry = Start simple: salt, heat, and something fresh. | Let it simmer: good questions need low heat. | Taste it before you change it. What's missing? | Set the table first. The rest will follow.
    travelers | travel, trip, train, plane, journey, way = There are two ways to get there, and I'd take the longer one. | Pack light, and leave early. | Where would you go if you had a week? | Ask at the station: somebody always knows.
    scientists | experiment, science, why, test = Try it and see, changing one thing at a time. | What would prove you wrong? | Write it down before you forget it. | Interesting. Does it happen twice?
    artists | art, paint, music, draw, color = Leave something out, and look again. | What color is it, for you? | Do it badly first. Then you have something to change. | Step back three meters. Better?
    animals | food, eat, walk, play = Did you say that you have some with you? | I'd sniff it from every side first. | Let's go outside and think about it there. | My ears heard you. Say it once more for my nose.
    machines | computer, machine, robot, broken, fix = Have you turned it off and on again? It works for me. | I have considered this for a while, and it depends. | Please state the problem in one line. | Computing … A walk would help.
    """)
}
