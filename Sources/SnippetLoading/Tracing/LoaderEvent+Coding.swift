package import Foundation

extension LoaderEvent: Encodable {
  /// Writes the event in its flat form.
  ///
  /// It is one object of numbers, names and truth values, whose field `event` says which others
  /// there are. Times are in nanoseconds.
  package func encode(to encoder: any Encoder) throws {
    try LoaderEventFields(self).encode(to: encoder)
  }
}

/// Events as JSON lines: a line that says what follows, then a line for each event.
package enum LoaderEventLines {
  /// The first line: what follows it, and in which form.
  package struct Header: Codable {
    package static let format = "snippet-loader-events"
    package static let version = 1

    package var format: String
    package var version: Int
    package var lost: Int
  }

  /// Writes events.
  ///
  /// - Parameters:
  ///   - events: The events, in their order.
  ///   - lostCount: How many events before these are lost.
  /// - Returns: The text in UTF-8, each line ended.
  /// - Throws: Errors of the encoder, which are not expected.
  package static func data(_ events: [LoaderEvent], lostCount: Int) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let header = Header(format: Header.format, version: Header.version, lost: lostCount)
    var lines = try encoder.encode(header)
    lines.append(UInt8(ascii: "\n"))
    for event in events {
      lines.append(try encoder.encode(event))
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }
}
