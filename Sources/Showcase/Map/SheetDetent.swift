/// How high the sheet over the map stands. It is part of the map and on no stack of screens.
public enum SheetDetent: String, Codable, CaseIterable, Sendable {
  case tip, half, full
}
