import SnipCore
import SnippetSync
import TerminalKit

extension SyncCheck {
  /// The result for programs.
  var json: JSONObject {
    var object: JSONObject = [
      "intact": .bool(isIntact), "devices": JSONValue(deviceCount), "logs": JSONValue(logFileCount),
      "blobs": JSONValue(blobCount), "bytes": .integer(byteCount),
      "unread": JSONValue(unreadCount), "mended": JSONValue(mendedCount),
      "lost": JSONValue(lostLogCount),
      "faults": .array(faults.map { .string("\($0.operation): \($0.reason)") }),
    ]
    object["entries"] = entryCount.map { JSONValue($0) }
    return object
  }

  /// The result for people.
  var lines: [String] {
    let counts = """
      \(deviceCount.counted("device")), \(logFileCount.counted("log file")), \
      \(blobCount.counted("blob")) (\(ByteCountText(byteCount)) in all)
      """
    if isIntact { return ["Intact: \(counts)"] }
    return faults.map { fault in
      String(
        describing: TerminalText("Could not \(fault.operation): \(fault.reason)", lines: .folded)
      )
    } + [unreadCount > 0 ? "\(counts), \(unreadCount.counted("object")) unread" : counts]
  }
}
