import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import TerminalKit

extension SnippetRow {
  /// The row as JSON.
  ///
  /// The fields are a contract: some may be added, none renamed or removed.
  var json: JSONObject {
    var object = JSONObject()
    addFields(to: &object)
    return object
  }

  /// Adds the fields of the JSON, in their order.
  func addFields(to fields: inout some JSONFields) {
    fields.add("id", id.rawValue)
    fields.add("uuid", plain: appendUUID)
    fields.add("kind", kind.name)
    fields.add("title", title)
    fields.add("preview", preview)
    fields.add("createdAt", plain: createdAt.appendISO8601Milliseconds)
    fields.add("modifiedAt", plain: modifiedAt.appendISO8601Milliseconds)
    fields.add("byteCount", byteCount)
    fields.add("tags", tags)
    fields.add("pinned", isPinned)
    fields.add("mediaType", mediaType)
    fields.add("revision", revision)
    if let width = facts.pixelWidth { fields.add("pixelWidth", Int64(width)) }
    if let height = facts.pixelHeight { fields.add("pixelHeight", Int64(height)) }
    if let duration = facts.duration {
      fields.add("duration", (duration / .milliseconds(1)).rounded() / 1000)
    }
    if let rate = facts.sampleRate { fields.add("sampleRate", Int64(rate)) }
    if let count = facts.channelCount { fields.add("channelCount", Int64(count)) }
    if facts.isIrregular { fields.add("irregular", true) }
    if let deletedAt { fields.add("deletedAt", plain: deletedAt.appendISO8601Milliseconds) }
  }

  /// The identity as 8, 4, 4, 4 and 12 lowercase hexadecimal digits.
  private func appendUUID(to bytes: inout [UInt8]) {
    let digits: StaticString = "0123456789abcdef"
    withUnsafeBytes(of: uuid.uuid) { uuid in
      for (position, byte) in uuid.enumerated() {
        if position & 1 == 0, 4...10 ~= position { bytes.append(UInt8(ascii: "-")) }
        bytes.append(digits.utf8Start[Int(byte >> 4)])
        bytes.append(digits.utf8Start[Int(byte & 15)])
      }
    }
  }

  /// The summary for a table: the title, the tags, and the text without the part that the title
  /// repeats.
  ///
  /// - Parameter excerpt: The part of the text to show; its beginning by default.
  /// - Returns: The summary on one line.
  func summary(with excerpt: SearchExcerpt? = nil) -> String {
    var summary = title
    func add(_ part: some StringProtocol) {
      guard !part.isEmpty else { return }
      if !summary.isEmpty { summary += " · " }
      summary += part
    }
    if !tags.isEmpty { add(tags.map { "#" + $0 }.joined(separator: " ")) }
    let text = excerpt?.textWithoutFrontMatter(of: self) ?? previewWithoutFrontMatter
    let lineEnds: LineEnds = excerpt == nil ? .blanks : .twoBlanks
    add(Self.trimmed(text.dropping(title: title, lineEnds: lineEnds)))
    return summary
  }

  private static func trimmed(_ line: Substring) -> Substring {
    // Of most lines, without finding their characters.
    if [line.utf8.first, line.utf8.last].allSatisfy({ $0.map { 0x21...0x7E ~= $0 } ?? false }) {
      return line
    }
    let start = line.drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
  }
}
