package import SnippetStorage
import TerminalKit

extension SnippetRow {
  /// The facts of media for a table: the size in pixels or the playing time.
  package var factsText: String {
    if let width = facts.pixelWidth, let height = facts.pixelHeight { return "\(width)×\(height)" }
    if let duration = facts.duration { return DurationText(duration).description }
    return ""
  }

  /// The format of a recording, such as `44100 Hz, stereo`; empty if it is not known.
  package var soundText: String {
    let channels = facts.channelCount.map { count in
      count == 1 ? "mono" : count == 2 ? "stereo" : "\(count) channels"
    }
    return [facts.sampleRate.map { "\($0) Hz" }, channels].compactMap(\.self)
      .joined(separator: ", ")
  }
}
