/// What stands in for a picture that cannot be had.
enum FallbackImage {
  /// A grey tile with a question mark, as a URL that opens without the network.
  static let url =
    "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'%20viewBox='0%200%2096%2096'%3E"
    + "%3Crect%20width='96'%20height='96'%20rx='12'%20fill='%23ccc'/%3E%3Ctext%20x='48'%20y='62'%20"
    + "font-size='40'%20text-anchor='middle'%20fill='%23666'%3E?%3C/text%3E%3C/svg%3E"

  /// The URL itself where it opens without the network; nil where it must be fetched first.
  static func openable(_ url: String?) -> String? {
    guard let url else { return Self.url }
    return url.hasPrefix("data:") || url.hasPrefix("file:") ? url : nil
  }
}
