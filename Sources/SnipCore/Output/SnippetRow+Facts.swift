package import SnippetStorage
import TerminalKit

extension SnippetRow {
  /// The facts of media for a table: the size in pixels or the playing time.
  package var factsText: String {
    if let width = facts.pixelWidth, let height = facts.pixelHeight { return "\(width)×\(height)" }
    if let duration = facts.duration { return DurationText(duration).description }
    return ""
  }

  /// A word or two for irregular content; empty for other content.
  package var flawText: String {
    guard facts.isIrregular else { return "" }
    return kind == .image ? "cut short" : "irregular"
  }

  /// A sentence on irregular content; empty for other content.
  package var flawSentence: String {
    guard facts.isIrregular else { return "" }
    return switch kind {
    case .text:
      "irregular: some bytes are no characters, or may be other ones; all are kept, and exported as "
        + "they are"
    case .image: "cut short: its end is missing, and is shown empty, or its head is damaged"
    case .voice: "irregular: its end is missing, or other bytes come before the sound; all is kept"
    }
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
