import Foundation
import SnippetSync
import TerminalKit

extension SyncStatus {
  /// The state in a few words, as in `2 unsent · up to date 12:04`.
  var words: String {
    // It sends and receives nothing, however far it was.
    if isRestored { return "restored: see snip sync status" }
    var parts: [String] = []
    if unsentCount > 0 { parts.append("\(unsentCount) unsent") }
    if let date = synchronizedAt {
      let words = DateText.short(date)
      // The time of another day says nothing.
      let isToday = Calendar(identifier: .gregorian).isDateInToday(date)
      let shown = isToday ? words.split(separator: " ").last ?? "" : words.prefix(10)
      parts.append("up to date \(shown)")
    } else {
      parts.append("not synchronized yet")
    }
    return parts.joined(separator: " · ")
  }
}
