import OffstageHost
import ShowcaseProgram

// The functions that `offstage.h` declares, for the reference app. An app of your own needs these
// four in a dynamic library of its own.

@_cdecl("offstage_start")
public func start(
  _ count: Int32, _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
  _ error: UnsafeMutablePointer<CChar>?, _ capacity: Int
) -> UnsafeMutableRawPointer? {
  CInterface.start(.showcase, count, arguments, error, capacity)
}

@_cdecl("offstage_send")
public func send(
  _ core: UnsafeMutableRawPointer, _ line: UnsafePointer<CChar>, _ length: Int
) {
  CInterface.send(core, line, length)
}

@_cdecl("offstage_receive")
public func receive(
  _ core: UnsafeMutableRawPointer, _ milliseconds: Int32,
  _ line: UnsafeMutablePointer<UnsafePointer<CChar>?>, _ length: UnsafeMutablePointer<Int>
) -> Int32 {
  CInterface.receive(core, milliseconds, line, length)
}

@_cdecl("offstage_stop")
public func stop(_ core: UnsafeMutableRawPointer) { CInterface.stop(core) }
