import Foundation
import SnipCore
import SnippetSync
import TerminalKit

extension SyncReport {
  /// The report for programs.
  var json: JSONObject {
    [
      "received": JSONValue(receivedCount), "removed": JSONValue(removedCount),
      "sent": JSONValue(sentCount), "receivedBlobs": JSONValue(receivedBlobCount),
      "receivedBytes": .integer(receivedByteCount), "sentBlobs": JSONValue(sentBlobCount),
      "sentBytes": .integer(sentByteCount), "conflicts": JSONValue(conflicts.count),
      "revived": JSONValue(revived.count), "folded": JSONValue(foldedCount),
      "refused": JSONValue(refused.count + malformedCount), "held": JSONValue(held.count),
      "unreadBlobs": JSONValue(unreadBlobCount), "waiting": JSONValue(waitingCount),
    ]
  }

  /// The work so far.
  var progress: WorkProgress {
    WorkProgress(
      completedCount: receivedCount + removedCount + sentCount,
      byteCount: receivedByteCount + sentByteCount
    )
  }

  /// The report for people.
  var lines: [String] {
    guard !isEmpty || !wrongClocks.isEmpty else { return ["Up to date."] }
    var lines: [String] = []
    func add(_ verb: String, _ count: Int, _ blobs: Int, _ bytes: Int64) {
      var parts: [String] = []
      if count > 0 { parts.append(count.counted("snippet")) }
      if blobs > 0 { parts.append("\(blobs.counted("blob")) (\(ByteCountText(bytes)))") }
      if !parts.isEmpty { lines.append("\(verb) \(parts.joined(separator: " and "))") }
    }
    add("Received", receivedCount, receivedBlobCount, receivedByteCount)
    if removedCount > 0 { lines.append("Removed \(removedCount.counted("snippet"))") }
    add("Sent", sentCount, sentBlobCount, sentByteCount)
    if foldedCount > 0 {
      lines.append(
        "Folded \(foldedCount.counted("snippet")): both devices had imported the same file"
      )
    }
    if !conflicts.isEmpty {
      lines.append(
        """
        Conflicts: \(conflicts.count). Devices edited one text apart, and the version that would be \
        lost is a snippet of its own (snip list tag:conflict)
        """
      )
    }
    if !revived.isEmpty {
      lines.append(
        """
        Brought back \(revived.count.counted("snippet")): another device had edited \
        \(revived.count == 1 ? "it, or taken it" : "them, or taken them") out of the trash
        """
      )
    }
    if !refused.isEmpty {
      let reasons = Set(refused.values).sorted().joined(separator: "; ")
      lines.append("Refused \(refused.count.counted("snippet")): \(reasons)")
    }
    if malformedCount > 0 {
      lines.append("Left aside \(malformedCount.counted("snippet")) of another version of snip")
    }
    if unreadBlobCount > 0 {
      lines.append("Could not read \(unreadBlobCount.counted("blob")) to send: see snip check")
    }
    if waitingCount > 0 {
      lines.append(
        """
        \(waitingCount.counted("snippet")) \(waitingCount == 1 ? "waits" : "wait") for a blob that is \
        missing or damaged in the repository
        """
      )
    }
    for clock in wrongClocks {
      let name = TerminalText(clock.name, lines: .folded)
      let lead = (clock.sentAt ?? .now).timeIntervalSinceNow
      lines.append("The clock of \(name) is \(Int(lead / 60)) minutes ahead")
    }
    return lines
  }
}
