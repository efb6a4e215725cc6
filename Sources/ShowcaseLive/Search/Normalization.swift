/// The normal forms of Unicode (UAX #15): Foundation's on Apple's systems, elsewhere utf8proc's.
#if canImport(Darwin)
  import OffstageFoundation

  extension String {
    /// The composed form of the text (NFC).
    var composed: String { precomposedStringWithCanonicalMapping }

    /// The form in which variants of a letter are one, and accents are apart from it (NFKD).
    var decomposedByCompatibility: String { decomposedStringWithCompatibilityMapping }
  }
#else
  import OffstageSystem
  import ShowcaseUtf8proc

  extension String {
    /// The composed form of the text (NFC).
    var composed: String { mapped(UTF8PROC_COMPOSE) }

    /// The form in which variants of a letter are one, and accents are apart from it (NFKD).
    var decomposedByCompatibility: String { mapped(UTF8PROC_DECOMPOSE, UTF8PROC_COMPAT) }

    private func mapped(_ options: utf8proc_option_t...) -> String {
      let flags = options.reduce(UTF8PROC_STABLE.rawValue) { $0 | $1.rawValue }
      var text = self
      return text.withUTF8 { bytes in
        var result: UnsafeMutablePointer<UInt8>?
        let count = utf8proc_map(
          bytes.baseAddress, bytes.count, &result, utf8proc_option_t(rawValue: flags))
        // It fails for bytes that are not UTF-8, which a string does not have, and without memory.
        guard count >= 0, let result else { fatalError(String(cString: utf8proc_errmsg(count))) }
        defer { free(result) }
        return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
      }
    }
  }
#endif
