/// Joins the texts of a note that was edited in several places, so that none is lost.
package enum NoteJoining {
  /// Stands between two texts.
  package static let separator = "\n\n---\n\n"

  /// Joins texts in their order, each once.
  ///
  /// - Parameter texts: The texts; empty ones are left out.
  /// - Returns: The note, and whether it has all texts: one that would make it too long for a store
  ///   is left out.
  package static func joined(_ texts: [String]) -> (note: String, isWhole: Bool) {
    var joined: [String] = []
    var seen: Set<String> = []
    var byteCount = 0
    var isWhole = true
    for text in texts where !text.isEmpty && seen.insert(text).inserted {
      let added = text.utf8.count + (joined.isEmpty ? 0 : separator.utf8.count)
      guard byteCount + added <= TextRules.maximumTextByteCount else {
        isWhole = false
        continue
      }
      joined.append(text)
      byteCount += added
    }
    return (joined.joined(separator: separator), isWhole)
  }
}
