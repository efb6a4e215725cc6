package import OffstageJSON

extension JSONWriter {
  /// Writes a value of an app. What cannot be written, such as an infinity, becomes `null`, because
  /// an output never fails; `failures` tells of it.
  /// - Parameter port: what the value is of, as the beginning of a sentence.
  package mutating func value<Value: Encodable>(
    _ value: Value, of port: @autoclosure () -> String
  ) {
    do { try encode(value) } catch {
      null()
      let failure = "\(port()) has a value that cannot be sent; null was sent. \(error.reason)"
      // The same value may be written twice, to see which way is shorter.
      if !failures.contains(failure) { failures.append(failure) }
    }
  }
}

extension Error {
  /// What an encoding failed of, and where in the value.
  fileprivate var reason: String {
    guard case EncodingError.invalidValue(_, let context)? = self as? EncodingError else {
      return "\(self)"
    }
    let place = JSONPointer(context.codingPath.map(\.stringValue)).description
    return context.debugDescription + (place.isEmpty ? "" : " It stands at \(place).")
  }
}
