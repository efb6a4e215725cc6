import OffstageSystem
import Testing

@testable import OffstageHost

#if os(Linux)
  @Suite(.timeLimit(.minutes(10))) struct ScriptedServerTests {
    @Test func requestWaitsForADescriptor() async {
      await #expect(processExitsWith: .success) {
        let server = try ScriptedServer()
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        // A new descriptor has the lowest free number.
        openFileLimit.rlim_cur = rlim_t(client + 1)
        #expect(openConnection(of: client, to: server))
        // A server that gives up resets the connection.
        var reset = pollfd(fd: client, events: 0, revents: 0)
        #expect(poll(&reset, 1, 200) == 0)
        openFileLimit.rlim_cur = openFileLimit.rlim_max
        let request = Array("GET /x HTTP/1.1\r\n\r\n".utf8)
        #expect(request.withUnsafeBytes { systemWrite(client, $0) } == request.count)
        var response = [UInt8](repeating: 0, count: 12)
        #expect(response.withUnsafeMutableBytes { systemRead(client, $0) } == response.count)
        #expect(String(decoding: response, as: UTF8.self) == "HTTP/1.1 404")
      }
    }
  }

  private func openConnection(of client: Int32, to server: ScriptedServer) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = UInt16(server.address.split(separator: ":")[1])!.bigEndian
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(client, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
#endif
