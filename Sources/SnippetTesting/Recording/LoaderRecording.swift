public import Foundation
package import SnippetLoading

/// What a `LoaderTrace` has recorded: a value to be kept, read and played again.
///
/// As text it is JSON lines: a line that says what it is, then a line for each event.
public struct LoaderRecording: Hashable, Sendable {
  /// How many events there are.
  public var count: Int { events.count }

  /// The events, in their order.
  package var events: [LoaderEvent]
  /// How many events there were before these that are lost.
  public var lostCount: Int

  /// Takes what a trace holds.
  ///
  /// - Parameter trace: The trace; it goes on.
  /// - Complexity: O(*n*).
  package init(_ trace: LoaderTrace) {
    (events, lostCount) = trace.held
  }

  /// Makes a recording by hand.
  package init(events: [LoaderEvent], lostCount: Int = 0) {
    self.events = events
    self.lostCount = max(0, lostCount)
  }

  // MARK: - Writing

  /// The recording as JSON lines.
  ///
  /// - Returns: The text in UTF-8, each line ended.
  /// - Throws: What the encoder throws; it has no reason to.
  /// - Complexity: O(*n*).
  public func jsonLines() throws -> Data {
    try LoaderEventLines.data(events, lostCount: lostCount)
  }

  // MARK: - Reading

  /// Reads a recording from JSON lines.
  ///
  /// Empty lines and unknown fields are skipped.
  ///
  /// - Parameter jsonLines: The text in UTF-8.
  /// - Throws: ``LoaderRecordingError``, which says what is wrong in which line.
  /// - Complexity: O(*n*).
  public init(jsonLines: Data) throws(LoaderRecordingError) {
    let decoder = JSONDecoder()
    var header: LoaderEventLines.Header?
    var events: [LoaderEvent] = []
    var number = 0
    for line in jsonLines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      if line.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { continue }
      if header == nil {
        header = try Self.header(in: line, number, decoder)
        continue
      }
      do {
        events.append(try decoder.decode(LoaderEvent.self, from: line))
      } catch {
        throw LoaderRecordingError(line: number, readingEvent: error)
      }
    }
    guard let header else { throw LoaderRecordingError(.notARecording, line: 1) }
    self.init(events: events, lostCount: header.lost)
  }

  private static func header(
    in line: Data,
    _ number: Int,
    _ decoder: JSONDecoder
  ) throws(LoaderRecordingError) -> LoaderEventLines.Header {
    // Whatever else the line is, it is not the beginning of a recording.
    guard let header = try? decoder.decode(LoaderEventLines.Header.self, from: line),
      header.format == LoaderEventLines.Header.format, header.version >= 1
    else { throw LoaderRecordingError(.notARecording, line: number) }
    guard header.version == LoaderEventLines.Header.version else {
      throw LoaderRecordingError(.newerVersion(header.version), line: number)
    }
    return header
  }
}
