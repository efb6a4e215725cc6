import Offstage

/// Picks any number of tags, and adds new ones.
final class TagPicker: Screen {
  static let kind = "tagPicker"

  /// The selected tags.
  typealias Argument = [String]
  typealias Result = [String]

  struct Input: Ports {
    let newTagText = Field("", .required)
    let add = In<Trigger>()
    let done = In<Trigger>()
  }

  struct Output: Ports {
    let tags = Children<TagSwitch>()
    let selectedCount = Out(0)
  }

  let input = Input()
  let output = Output()
  let effects = Effects()

  /// The tags that no issue has yet.
  private let added = Kept<[String]>([])

  init(_ selected: [String], _ scope: AppScope) {
    input.newTagText.check(.check { [output] in output.tags[$0] == nil ? nil : "This tag exists." })
    output.selectedCount.derive { [self] in self.selected.count }
    input.add.observe { [self] in
      guard input.newTagText.validate() else { return }
      added.value.append(input.newTagText.value)
      output.tags.append { TagSwitch(input.newTagText.value, isOn: true) }
      input.newTagText.reset(to: "")
    }
    input.done.observe { [self] in finish(self.selected) }
    effects.run { [self] in
      let known = Set(try await scope.store.tags()).union(selected).subtracting(added.value)
      for tag in known.sorted() + added.value {
        output.tags.append { TagSwitch(tag, isOn: (selected + added.value).contains(tag)) }
      }
    }
  }

  private var selected: [String] { output.tags.values.filter(\.input.isOn.value).map(\.id) }
}

/// A row of the picker: a tag and its switch.
final class TagSwitch: Part, Identifiable {
  struct Input: Ports { let isOn = Field(false) }
  struct Output: Ports { let title = Out("") }
  let input = Input(), output = Output(), effects = Effects()
  let id: String

  init(_ tag: String, isOn: Bool) {
    id = tag
    output.title.value = tag
    input.isOn.reset(to: isOn)
  }
}
