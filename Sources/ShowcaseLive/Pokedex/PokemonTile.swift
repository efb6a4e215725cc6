/// A picture that needs no network: the number on the colour of the first type.
struct PokemonTile {
  let number: Int
  let type: String

  /// An SVG that a browser opens as it is; the same tile gives the same text.
  var dataURL: String {
    let digits = String(number)
    let label = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96">\
      <rect width="96" height="96" rx="12" fill="\(colour)"/>\
      <text x="48" y="59" font-family="monospace" font-size="32" text-anchor="middle">\(label)</text>\
      </svg>
      """
    return SVG.dataURL(svg)
  }

  /// Light enough, all of them, for black digits to be read on it.
  private var colour: String {
    switch type {
    case "normal": "#bbbbaa"
    case "fire": "#ff8855"
    case "water": "#66aaff"
    case "electric": "#ffdd44"
    case "grass": "#88cc66"
    case "ice": "#88ddee"
    case "fighting": "#dd8877"
    case "poison": "#cc88cc"
    case "ground": "#ddbb66"
    case "flying": "#aabbff"
    case "psychic": "#ff88aa"
    case "bug": "#bbcc44"
    case "rock": "#ccbb88"
    case "ghost": "#a99ad0"
    case "dragon": "#9988ff"
    case "dark": "#aa9988"
    case "steel": "#bbbbcc"
    case "fairy": "#ffaaee"
    default: "#dddddd"
    }
  }
}
