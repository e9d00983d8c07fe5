/// Joins the texts of a note that was edited in several places, so that none is lost.
package enum NoteJoining {
  /// Stands between two texts.
  package static let separator = "\n\n---\n\n"

  /// Joins texts in their order, each once.
  ///
  /// A text may be a note that was joined elsewhere. Of its parts only those are added that no text before
  /// it has, so that to join a joined note again changes nothing. A single text stays as it is.
  ///
  /// - Parameter texts: The texts; empty ones are left out.
  /// - Returns: The note, and the texts that it has not: those that would make it too long for a store.
  package static func joined(_ texts: [String]) -> (note: String, leftOut: [String]) {
    var distinct: Set<String> = []
    let texts = texts.filter { !$0.isEmpty && distinct.insert($0).inserted }
    var joined: [Substring] = []
    var seen: Set<Substring> = []
    var byteCount = 0
    var leftOut: [String] = []
    for text in texts {
      let parts =
        texts.count == 1
        ? [text[...]]
        : text.split(separator: separator, omittingEmptySubsequences: false)
          .filter { !seen.contains($0) }
      let separatorCount = parts.count - (joined.isEmpty ? 1 : 0)
      let added =
        parts.reduce(0) { $0 + $1.utf8.count } + separatorCount * separator.utf8.count
      guard byteCount + added <= TextRules.maximumTextByteCount else {
        leftOut.append(text)
        continue
      }
      joined += parts
      // Only now: a text keeps the parts that it has twice.
      seen.formUnion(parts)
      byteCount += added
    }
    return (joined.joined(separator: separator), leftOut)
  }
}
