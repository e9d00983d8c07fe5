import Foundation
import SnippetRecognition
import SnippetStorage

@testable import SnippetMedia

extension FuzzTarget {
  /// Finds the peaks of a recording of plain samples; what is coded is for the fuzzers of the
  /// libraries that decode it.
  ///
  /// The first byte says how many peaks.
  static let recording = FuzzTarget("recording") { bytes in
    var input = FuzzBytes(bytes)
    let peakCount = Int(input.byte()) + 1
    let data = Data(input.rest)
    let type = try ContentRecognizer.recognize(MemoryBytes(data: data))?.type
    guard let type, [.wav, .aiff, .caf].contains(type) else { return }
    let recording = MediaInput(data)
    let limits = MediaLimits(timeLimit: .seconds(2))
    guard
      let waveform = try? LibraryMedia(limits: limits)
        .waveform(of: recording, peakCount: peakCount, isCancelled: { false })
    else { return }
    try require(waveform.peaks.count <= peakCount, "there are \(peakCount) peaks at most")
    try require(
      waveform.peaks.allSatisfy { $0.lowest <= $0.highest },
      "no peak is upside down: \(waveform.peaks)"
    )
    // A file may end before its first sample.
    let canBeHeard = waveform.sampleRate > 0 && waveform.channelCount > 0
    try require(waveform.peaks.isEmpty || canBeHeard, "it can be heard")
    try requireWaveform(waveform)
  }

  /// Reads what a store keeps of a waveform, and what a worker gives of a thumbnail.
  static let derivative = FuzzTarget("derivative") { bytes in
    if let waveform = Waveform(bytes: Data(bytes)) { try requireWaveform(waveform) }
    if let thumbnail = Thumbnail(workerBytes: Data(bytes)) {
      try require(
        Thumbnail(workerBytes: thumbnail.workerBytes) == thumbnail,
        "a thumbnail is read as it was written"
      )
    }
  }

  private static func requireWaveform(_ waveform: Waveform) throws(BrokenRule) {
    let again = Waveform(bytes: waveform.bytes)
    try require(
      waveform.channelCount > 255 || again == waveform,
      "a waveform is read as it was written: \(waveform)"
    )
    try require(waveform.duration >= .zero, "time does not run backwards: \(waveform.duration)")
  }
}
