/// Which encoding of one byte per character makes sense of a text.
struct SingleByteVerdict {
  // The same letters read as those of another language come out less likely by this, in logarithms.
  private static let minimumLead = 1.5
  // Texts with a few letters beyond ASCII are Western more often than not.
  private static let westernLead = 3.0

  /// The encoding; `nil` when none makes sense, or more than one does.
  let encoding: TextEncoding?

  /// Judges a text.
  ///
  /// - Parameter pairs: The pairs of bytes in the text.
  init(_ pairs: BytePairCounts) {
    let encodings: [TextEncoding] = [
      .windows1252, .windows1250, .iso8859Part2, .windows1254, .windows1251, .koi8R,
    ]
    let readings = encodings.compactMap { encoding in
      SingleByteReading(pairs, encoding).map { reading in
        let lead = encoding == .windows1252 ? Self.westernLead : 0
        return (reading: reading, likelihood: reading.likelihood + lead)
      }
    }
    let ranked = readings.sorted { $0.likelihood > $1.likelihood }
    let rival = ranked.first { $0.reading.characters != ranked[0].reading.characters }
    if let rival, ranked[0].likelihood < rival.likelihood + Self.minimumLead {
      encoding = nil
    } else {
      encoding = ranked.first?.reading.encoding
    }
  }
}
