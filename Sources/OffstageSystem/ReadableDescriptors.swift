internal import OffstageLibc

/// A set of descriptors of which few are readable at a time. Its own descriptor is readable once one
/// of them is, and costs the same however many there are.
package final class ReadableDescriptors {
  package let descriptor: Int32

  package init() throws(FileError) {
    descriptor = offstage_poll_create()
    guard descriptor >= 0 else { throw FileError("poll") }
  }

  deinit { systemClose(descriptor) }

  /// - Returns: False if that fails.
  package func add(_ added: Int32) -> Bool { offstage_poll_add(descriptor, added) == 0 }

  package func remove(_ removed: Int32) { _ = offstage_poll_remove(descriptor, removed) }

  /// Returns some of those that can be read from, or whose other end is gone.
  package func readable() -> [Int32] {
    [Int32](unsafeUninitializedCapacity: 64) { found, count in
      count = max(0, Int(offstage_poll_find(descriptor, found.baseAddress)))
    }
  }
}
