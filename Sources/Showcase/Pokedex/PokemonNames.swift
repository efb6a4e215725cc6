/// The official names of a Pokémon, each by language code.
package struct PokemonNames: Hashable, Sendable {
  /// Its own names, such as `Attack Deoxys`; none for some forms.
  package var own: [String: String]
  /// The names of its species, such as `Deoxys`.
  package var species: [String: String]
  /// The names of the form, such as `Attack Forme`.
  package var form: [String: String]
  /// The form as the API spells it, such as `attack`.
  package var formID: String

  package init(
    own: [String: String], species: [String: String] = [:], form: [String: String] = [:],
    formID: String = ""
  ) {
    self.own = own
    self.species = species
    self.form = form
    self.formID = formID
  }
}

extension Words {
  /// Returns the official name of a Pokémon, or one made of the parts of the API's, such as
  /// `deoxys-attack`.
  func pokemon(_ id: String, _ names: PokemonNames?) -> String {
    if let name = names?.own[code] { return name }
    guard let names, let species = names.species[code] else { return pokemonWords(id) }
    let form = names.form[code] ?? pokemonWords(names.formID)
    return form.contains(species) ? form : "\(species) (\(form))"
  }

  /// Turns a name from the API into words: `mega-x` becomes `Mega X`.
  private func pokemonWords(_ id: String) -> String {
    id.split(separator: "-").map { pokemonWord(String($0)) }.joined(separator: " ")
  }
}
