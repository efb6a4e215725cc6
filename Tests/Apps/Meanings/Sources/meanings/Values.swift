import Foundation
import Offstage

/// Every kind of value, with and without a value.
final class Values: Screen {
  static let kind = "values"

  struct Input: Ports {
    let clear = In<Trigger>()
    let stepTapped = In<Int>()
    let order = Field(
      Order(), roles: .sort(of: \Output.steps, by: \.column, descending: \.isDescending))
  }

  struct Output: Ports {
    let distance = Out<Int?>(1_200, .unit("m"))
    let mass = Out(72.5, .unit("kg"))
    let gap = Out(0.04, .unit("m"))
    let fever = Out(37.25, .unit("°C"))
    let price = Out<Int?>(1_234_500, .money("KRW"))
    let fee = Out<Decimal?>(12.5, .money("USD"))
    let discount = Out<Double?>(0.25, .percent)
    let length = Out<Int?>(3_725, .duration)
    let seen = Out<Int?>(1_767_225_600, .unixTime)
    let made = Out<Date?>(Date(timeIntervalSince1970: 1_767_225_600))
    let day = Out<String?>("2026-02-03", .date)
    let opens = Out<String?>("09:30", .time)
    let story = Out<String?>("First line\nSecond line", .longText)
    let article = Out<String?>(Values.article, .markdown)
    let program = Out<String?>("let answer = 42", .code)
    let portrait = Out<String?>("resource:face/0.svg", .picture(.avatar))
    let cover = Out<String?>("resource:cover/0.svg", .picture(.poster))
    let preview = Out<String?>("resource:preview/0.svg", .picture(.thumbnail))
    let symbol = Out<String?>("resource:symbol/0.svg", .picture(.icon))
    let film = Out<String?>("resource:film/0.mp4", .video)
    let trailer = Out<String?>("https://example.com/trailer.mp4", .video)
    let manual = Out<String?>("resource:manual/0.pdf", .file("application/pdf"))
    let page = Out<URL?>(URL(string: "https://example.com/page"))
    let paint = Out<String?>("#ff8800", .color)
    let place = Out<Place?>(Place(latitude: 37.5665, longitude: 126.978))
    let level = Out<Int?>(7, .range(0...10))
    let isOpen = Out<Bool?>(true)
    let plain = Out<Int?>(1_048_576)
    let parcel = Out(Parcel(a: "resource:parcel/0.svg", b: "A parcel with a bow", c: 0.4))
    let steps = Rows<Step>(.table)
    let weights = Out([61.5, 61.2, 60.8], .chart)
    let points = Out([Point(hour: 1, visits: 12), Point(hour: 2, visits: 30)], Values.curve)
  }

  static let curve = Meaning.chart(x: \Point.hour, y: \Point.visits)

  static let article = """
    # A heading

    Some **bold** and *italic* words with `code`.

    - one
      - within one
    - two
    Below the list.

    [A page](https://example.com/a) <b>not bold</b>
    """

  struct Place: Codable, Equatable, Sendable {
    let latitude: Double
    let longitude: Double
  }

  struct Step: Identifiable, Codable, Equatable, Sendable {
    let id: Int
    let name: String
    let minutes: Int
    let cost: Int?
    let isHot: Bool
    var isSelected = false
  }

  /// An object whose members have roles.
  struct Parcel: Codable, Equatable, Sendable, SchemaAnnotated {
    let a: String
    let b: String
    let c: Double

    static var meanings: [PartialKeyPath<Self>: Meaning] {
      [\.a: .picture(.thumbnail), \.b: .alt, \.c: .progress]
    }
  }

  struct Order: Codable, Equatable, Sendable {
    enum Column: String, Codable, CaseIterable, Sendable { case name, minutes }

    var column = Column.minutes
    var isDescending = false
  }

  struct Point: Codable, Equatable, Sendable {
    let hour: Int
    let visits: Int
  }

  let input = Input(), output = Output(), effects = Effects()

  init() {
    output.steps.reset(to: [
      Step(id: 1, name: "Stir", minutes: 5, cost: nil, isHot: false),
      Step(id: 2, name: "Bake", minutes: 40, cost: 3, isHot: true),
    ])
    input.stepTapped.observe { [output] in output.steps.update($0) { $0.isSelected.toggle() } }
    input.order.edits.observe { [output] order in
      let steps = output.steps.values.sorted {
        order.column == .name ? $0.name < $1.name : $0.minutes < $1.minutes
      }
      output.steps.reset(to: order.isDescending ? steps.reversed() : steps)
    }
    input.clear.observe { [output] in
      output.distance.value = nil
      output.price.value = nil
      output.seen.value = nil
      output.article.value = nil
      output.portrait.value = nil
      output.place.value = nil
    }
  }
}
