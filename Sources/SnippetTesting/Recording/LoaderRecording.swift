public import Foundation
public import SnippetLoading

/// A recording by a `LoaderTrace`: a value to keep, read and replay.
///
/// As text it is JSON lines: a line that identifies the format, then a line for each event.
public struct LoaderRecording: Hashable, Sendable {
  /// The number of events.
  public var count: Int { events.count }

  /// The events, in their order.
  package var events: [LoaderEvent]
  /// The number of lost events before these.
  public var lostCount: Int

  /// Takes the events of a trace.
  ///
  /// - Parameter trace: The trace, which continues.
  /// - Complexity: O(*n*).
  public init(_ trace: LoaderTrace) {
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
  /// - Throws: Errors of the encoder, which are not expected.
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
  /// - Throws: ``LoaderRecordingError``, which names the mistake and its line.
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
