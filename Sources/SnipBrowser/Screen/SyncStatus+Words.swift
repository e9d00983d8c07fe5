import Foundation
import SnippetSync
import TerminalKit

extension SyncStatus {
  /// The state in a few words, as in `2 unsent · up to date 12:04`.
  ///
  /// - Parameters:
  ///   - now: The date; the time of a synchronization of another day says nothing.
  ///   - timeZone: The time zone of the reader.
  /// - Returns: The words.
  func words(now: Date = .now, in timeZone: TimeZone = .current) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    var parts: [String] = []
    if unsentCount > 0 { parts.append("\(unsentCount) unsent") }
    if let date = synchronizedAt {
      let words = DateText.short(date, in: timeZone)
      let isToday = calendar.isDate(date, inSameDayAs: now)
      let shown = isToday ? words.split(separator: " ").last ?? "" : words.prefix(10)
      parts.append("up to date \(shown)")
    } else {
      parts.append("not synchronized yet")
    }
    return parts.joined(separator: " · ")
  }
}
