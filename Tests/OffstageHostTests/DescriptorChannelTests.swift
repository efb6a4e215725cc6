import Foundation
import OffstageSystem
import Testing

@Suite struct DescriptorChannelTests {
  private func file() -> Int32 { open("/dev/null", O_RDONLY) }

  private func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

  @Test func messagesArriveWholeAndInOrderHoweverFullTheChannelIs() throws {
    let (near, far) = try DescriptorChannel.pair()
    var (sent, received) = ([[UInt8]](), [[UInt8]]())
    func takeAll() {
      while let (descriptor, bytes) = far.receive() {
        #expect(isOpen(descriptor))
        close(descriptor)
        received.append(bytes)
      }
    }
    for size in [0, 1, 60_000, 16_380, 16_384, 60_000, 7, 60_000, 60_000, 60_000, 60_000, 3] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) }
      let descriptor = file()
      while !near.send(descriptor, bytes) {
        #expect(near.isFull && isOpen(descriptor))
        takeAll()
        near.flush()
      }
      sent.append(bytes)
    }
    while near.isFull {
      takeAll()
      near.flush()
    }
    takeAll()
    #expect(received == sent)
  }

  @Test func aDescriptorStaysHereIfTheOtherEndIsClosed() throws {
    let (near, far) = try DescriptorChannel.pair()
    signal(SIGPIPE, SIG_IGN)
    shutdown(far.descriptor, Int32(SHUT_RD))
    let descriptor = file()
    #expect(!near.send(descriptor, [1]))
    #expect(!near.isFull && isOpen(descriptor))
    close(descriptor)
  }

  @Test func theEndIsSeenAfterTheLastMessage() throws {
    let (near, far) = try DescriptorChannel.pair()
    #expect(near.send(file(), [1, 2]))
    shutdown(near.descriptor, Int32(SHUT_WR))
    let message = try #require(far.receive())
    close(message.descriptor)
    #expect(message.bytes == [1, 2] && !far.hasEnded)
    #expect(far.receive() == nil && far.hasEnded)
  }
}
