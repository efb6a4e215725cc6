/// Where a program listens, or connects to.
package enum SocketAddress: Equatable, CustomStringConvertible, Sendable {
  case unix(String)
  case tcp(host: String, port: String)

  /// - Parameter text: `unix:PATH` or `HOST:PORT`, with an IPv6 address in brackets.
  /// - Returns: nil for anything else.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard !path.isEmpty else { return nil }
      self = .unix(path)
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    var host = text[..<colon]
    let port = text[text.index(after: colon)...]
    guard !host.isEmpty, UInt16(port) != nil else { return nil }
    if host.first == "[", host.last == "]" { host = host.dropFirst().dropLast() }
    self = .tcp(host: String(host), port: String(port))
  }

  package var description: String {
    switch self {
    case .unix(let path): "unix:\(path)"
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}

/// A socket that listens for connections. The file of a Unix socket is removed with it.
package final class ListeningSocket: Sendable {
  package let descriptor: Int32
  /// With the port that the system has chosen for port 0.
  package let address: SocketAddress
  /// The number of the file, so that the one of another process is left alone.
  private let file: ino_t?

  /// Listens. Only the user can connect to a Unix socket. The file of a process that is gone is
  /// replaced.
  /// - Throws: `FileError`, also if another process listens there.
  package init(_ address: SocketAddress) throws(FileError) {
    switch address {
    case .unix(let path):
      descriptor = try Self.listen(path)
      self.address = address
      file = PrivateFiles.status(path)?.st_ino
    case .tcp(let host, let port):
      descriptor = try resolve(host, port, isPassive: true) { descriptor, info throws(FileError) in
        var yes: Int32 = 1
        setsockopt(
          descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
          throw FileError("\(address)")
        }
      }
      self.address = .tcp(host: host, port: Self.port(of: descriptor) ?? port)
      file = nil
    }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    guard OffstageSystem.listen(descriptor, 1024) == 0 else { throw FileError("\(address)") }
  }

  deinit {
    if case .unix(let path) = address, let file, PrivateFiles.status(path)?.st_ino == file {
      unlink(path)
    }
    systemClose(descriptor)
  }

  /// Returns the descriptor of a new connection, which does not block; nil if none waits.
  package func accept() -> Int32? {
    let connection = OffstageSystem.accept(descriptor, nil, nil)
    guard connection >= 0 else { return nil }
    _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
    _ = fcntl(connection, F_SETFL, O_NONBLOCK)
    if case .tcp = address { sendAtOnce(connection) }
    return connection
  }

  private static func listen(_ path: String) throws(FileError) -> Int32 {
    if let status = PrivateFiles.status(path, followsLink: false) {
      guard status.st_mode & S_IFMT == S_IFSOCK else {
        throw FileError(description: "\(path) exists, and is not a socket; choose another path")
      }
      guard try isAbandoned(path) else {
        throw FileError(
          description: "\(path): another process listens there; end it, or choose another path")
      }
      unlink(path)
    }
    let socket = try makeSocket(AF_UNIX)
    let descriptor = socket.number
    // Other users must not be able to connect, not even for a moment.
    let mask = umask(0o177)
    defer { umask(mask) }
    guard try withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0 else {
      throw FileError(path)
    }
    return socket.release()
  }

  /// Returns true for the socket of a process that is gone.
  private static func isAbandoned(_ path: String) throws(FileError) -> Bool {
    do throws(FileError) {
      systemClose(try connectSocket(to: .unix(path)))
      return false
    } catch {
      guard errno == ECONNREFUSED else { throw error }
      return true
    }
  }

  private static func port(of descriptor: Int32) -> String? {
    // The port of an IPv4 address is at the same place.
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(descriptor, $0, &length) == 0
      }
    }
    return isKnown ? String(UInt16(bigEndian: address.sin6_port)) : nil
  }
}

/// Connects, and waits for it.
/// - Returns: A descriptor that blocks.
/// - Throws: `FileError` with the reason in `errno`.
package func connectSocket(to address: SocketAddress) throws(FileError) -> Int32 {
  switch address {
  case .unix(let path):
    let socket = try makeSocket(AF_UNIX)
    let descriptor = socket.number
    guard try withUnixAddress(path, { connect(descriptor, $0, $1) }) == 0 else {
      throw FileError(path)
    }
    return socket.release()
  case .tcp(let host, let port):
    let descriptor = try resolve(host, port, isPassive: false) {
      descriptor, info throws(FileError) in
      guard connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else {
        throw FileError("\(address)")
      }
    }
    sendAtOnce(descriptor)
    return descriptor
  }
}

/// Sends a line as soon as it is written: TCP would wait for more.
private func sendAtOnce(_ descriptor: Int32) {
  var yes: Int32 = 1
  setsockopt(
    descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
}

/// `SOCK_STREAM`, whose type differs.
package var streamSocket: Int32 {
  #if canImport(Glibc)
    Int32(SOCK_STREAM.rawValue)
  #else
    SOCK_STREAM
  #endif
}

private func makeSocket(_ family: Int32) throws(FileError) -> OwnedDescriptor {
  let descriptor = socket(family, streamSocket, 0)
  guard descriptor >= 0 else { throw FileError("socket") }
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  return OwnedDescriptor(number: descriptor)
}

private func withUnixAddress(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) throws(FileError) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let most = MemoryLayout.size(ofValue: address.sun_path) - 1
  guard path.utf8.count <= most else {
    throw FileError(description: "\(path): the path of a socket has at most \(most) bytes")
  }
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}

/// Opens a socket for the first address of a host that `use` accepts.
private func resolve(
  _ host: String, _ port: String, isPassive: Bool,
  _ use: (Int32, addrinfo) throws(FileError) -> Void
) throws(FileError) -> Int32 {
  var hints = addrinfo()
  hints.ai_socktype = streamSocket
  hints.ai_flags = AI_NUMERICSERV | (isPassive ? AI_PASSIVE : 0)
  var found: UnsafeMutablePointer<addrinfo>?
  let failure = getaddrinfo(host, port, &hints, &found)
  guard failure == 0 else {
    throw FileError(description: "\(host): \(String(cString: gai_strerror(failure)))")
  }
  defer { freeaddrinfo(found) }
  var error = FileError(description: "\(host): no address")
  var next = found
  while let info = next?.pointee {
    next = info.ai_next
    do throws(FileError) {
      let socket = try makeSocket(info.ai_family)
      try use(socket.number, info)
      return socket.release()
    } catch let failure {
      error = failure
    }
  }
  throw error
}
