import Offstage

extension Cause {
  convenience init(_ name: String) { self.init(id: Array(name.utf8)) }

  var name: String { String(decoding: id, as: UTF8.self) }
}
