import TestSupport
import Testing

@testable import Offstage

/// The tree is compared with an array.
@Suite struct OrderStatisticTreeTests {
  @Test func agreesWithAnArray() {
    var tree = OrderStatisticTree<Int, String>()
    var model: [(key: Int, element: String)] = []
    var random = SplitMix64(seed: 1)
    var nextKey = 0
    for step in 0..<10_000 {
      let grows = step < 3_000 || (step > 6_000 && step < 8_000)
      switch Int.random(in: 0..<(grows ? 10 : 14), using: &random) {
      case 0..<6:
        let position = Int.random(in: 0...model.count, using: &random)
        tree.insert("\(step)", for: nextKey, at: position)
        model.insert((nextKey, "\(step)"), at: position)
        nextKey += 1
      case 6..<8 where !model.isEmpty:
        let from = Int.random(in: model.indices, using: &random)
        let to = Int.random(in: model.indices, using: &random)
        tree.move(tree.node(at: from), to: to)
        model.insert(model.remove(at: from), at: to)
      case 8 where !model.isEmpty:
        let index = Int.random(in: model.indices, using: &random)
        tree[node: tree.node(at: index)] = "\(step)"
        model[index].element = "\(step)"
      default:
        guard !model.isEmpty else { continue }
        let index = Int.random(in: model.indices, using: &random)
        #expect(tree.remove(model[index].key) == model[index].element)
        model.remove(at: index)
      }
      check(tree, model, wholly: step.isMultiple(of: 97), &random)
    }
    #expect(model.count > 100, "the random walk should not end where it began")
  }

  @Test func missingKeysAreNil() {
    var tree = OrderStatisticTree<Int, String>()
    #expect(tree.position(of: 1) == nil)
    #expect(tree[1] == nil)
    #expect(tree.remove(1) == nil)
    #expect(tree.count == 0)
  }

  private func check(
    _ tree: OrderStatisticTree<Int, String>, _ model: [(key: Int, element: String)], wholly: Bool,
    _ random: inout SplitMix64, _ location: SourceLocation = #_sourceLocation
  ) {
    #expect(tree.count == model.count, sourceLocation: location)
    if let index = model.indices.randomElement(using: &random) {
      #expect(tree.element(at: index) == model[index].element, sourceLocation: location)
      #expect(tree.position(of: model[index].key) == index, sourceLocation: location)
      #expect(tree[model[index].key] == model[index].element, sourceLocation: location)
    }
    guard wholly else { return }
    var elements: [String] = []
    tree.visit { elements.append($0) }
    #expect(elements == model.map(\.element), sourceLocation: location)
    #expect(
      model.map { tree.position(of: $0.key) } == Array(model.indices), sourceLocation: location)
  }
}
