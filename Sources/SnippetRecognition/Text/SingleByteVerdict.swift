/// The single-byte encoding in which a text makes sense.
struct SingleByteVerdict {
  // The least lead over the same letters read in another language, as a logarithm.
  private static let minimumLead = 1.0
  // Texts with a few letters beyond ASCII are usually Western.
  private static let westernLead = 2.5

  /// The encoding; `nil` if none makes sense, or more than one does.
  let encoding: TextEncoding?

  /// Judges a text.
  ///
  /// - Parameter counts: The pairs of bytes in the text.
  init(_ counts: BytePairCounts) {
    let pairs = counts.pairs
    let readings = TextEncoding.singleByteEncodings.compactMap { encoding in
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
