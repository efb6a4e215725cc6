/// Something that went wrong with no request to answer; told to the front end as an `error`
/// notification.
package struct Fault: Error, CustomStringConvertible {
  /// One sentence on what went wrong and where, one on what to do.
  package let description: String

  package init(_ description: String) { self.description = description }
}
