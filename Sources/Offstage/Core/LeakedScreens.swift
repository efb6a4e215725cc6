#if DEBUG
  /// Finds screens that something keeps in memory after their end. Debug builds only.
  package struct LeakedScreens {
    private struct Closed {
      let kind: String
      let id: ScreenID
      weak var part: (any Part)?
      /// True in the turn of its end, when the code that closes it still refers to it.
      var isEnding = true
    }

    private var ended: [Closed] = []
    /// The number of reported screens of each kind.
    private var counts: [String: Int] = [:]

    package init() {}

    @CoreActor
    mutating func ended(_ node: ScreenNode) {
      ended.append(Closed(kind: node.kind, id: node.id, part: node.part))
    }

    /// Returns the messages for the screens that are still there at the end of a turn.
    /// - Parameter isAtRest: False while work that ends, or a save that outlives its screen, may
    ///   still refer to a screen.
    mutating func faults(isAtRest: Bool) -> [Fault] {
      guard !ended.isEmpty else { return [] }
      var leaked: [Closed] = []
      ended = ended.filter { $0.part != nil }.compactMap { screen in
        var screen = screen
        if isAtRest, !screen.isEnding {
          leaked.append(screen)
          return nil
        }
        screen.isEnding = false
        return screen
      }
      return leaked.map { screen in
        counts[screen.kind, default: 0] += 1
        return Fault(
          "The screen \"\(screen.kind)\" (\(screen.id)) has ended, but is still in memory, with "
            + "\(counts[screen.kind]!) of its kind so far. Look for a closure that outlives the screen "
            + "and captures it, such as one that a repository keeps.")
      }
    }
  }
#endif
