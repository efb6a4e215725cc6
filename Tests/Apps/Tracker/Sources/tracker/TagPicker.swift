import Offstage

/// Picks any number of tags, and adds new ones.
final class TagPicker: Screen {
  static let kind = "tagPicker"

  /// The tags that are selected.
  typealias Argument = [String]
  typealias Result = [String]

  struct Input: Ports {
    let tagTapped = In<String>()
    let newTagText = Field("", .required)
    let add = In<Trigger>()
    let done = In<Trigger>()
  }

  struct Tag: Identifiable, Codable, Hashable, Sendable {
    let id: String
    var isSelected: Bool
  }

  struct Output: Ports {
    let tags = Rows<Tag>()
    let canAdd = Out(false)
    let selectedCount = Out(0)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  init(_ selected: [String], _ scope: AppScope) {
    input.newTagText.check(.check { [output] in output.tags[$0] == nil ? nil : "This tag exists." })
    output.canAdd.derive { [input] in input.newTagText.isValid }
    output.selectedCount.derive { [output] in output.tags.values.count(where: \.isSelected) }
    input.tagTapped.observe { [output] in output.tags.update($0) { $0.isSelected.toggle() } }
    input.add.observe { [self] in
      guard input.newTagText.validate() else { return }
      output.tags.append(Tag(id: input.newTagText.value, isSelected: true))
      input.newTagText.reset(to: "")
    }
    input.done.observe { [self] in
      finish(output.tags.values.filter(\.isSelected).map(\.id))
    }
    effects.run("load") { [output] in
      let tags = Set(try await scope.store.tags()).union(selected).sorted()
      output.tags.reset(
        to: tags.map { Tag(id: $0, isSelected: selected.contains($0)) })
    }
  }
}
