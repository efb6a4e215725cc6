import OffstageLibpq

/// The address of a PostgreSQL database, such as `postgresql://user@host/name?sslmode=verify-full`.
///
/// See https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING. It has no password, which
/// everybody on the machine could read in the list of processes.
public struct ServerAddress: Sendable, CustomStringConvertible {
  public let description: String

  /// - Throws: ``InvalidServerAddress``.
  public init(_ text: String) throws(InvalidServerAddress) {
    guard text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") else {
      throw InvalidServerAddress("expected an address such as postgresql://user@host/name")
    }
    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      defer { PQfreemem(message) }
      throw InvalidServerAddress(Self.line(message.map { String(cString: $0) } ?? "out of memory"))
    }
    defer { PQconninfoFree(options) }
    var option = options
    while let name = option.pointee.keyword {
      if String(cString: name) == "password", option.pointee.val != nil {
        throw InvalidServerAddress(
          "leave the password out of the address, where others see it; set PGPASSWORD or PGPASSFILE"
        )
      }
      option += 1
    }
    description = text
  }

  /// Returns the lines of one of libpq's messages as one line.
  static func line(_ message: String) -> String {
    message.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

/// What is wrong with an address.
public struct InvalidServerAddress: Error, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
