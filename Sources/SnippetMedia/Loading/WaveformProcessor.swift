import SnippetLoading
import SnippetStorage

/// Computes the peaks that a cell shows of a recording: a ``Waveform`` as the content of the loaded
/// blob.
///
/// Until the larger one is ready, the smaller stands in for it, and vice versa.
struct WaveformProcessor: BlobProcessor {
  let recipe: Recipe
  /// The bytes that the store keeps, which do not need the recording in memory, or else the
  /// original.
  let inputs: [Recipe]
  /// All other sizes.
  let standsInFor: [Recipe]

  private let peakCount: Int
  private let media: any MediaMaking

  /// Makes a processor.
  ///
  /// - Parameters:
  ///   - peakCount: The number of peaks.
  ///   - peakCounts: All sizes that stand in for one another.
  ///   - media: The decoder.
  init(_ peakCount: Int, among peakCounts: [Int], media: any MediaMaking) {
    recipe = .waveform(peakCount)
    inputs = [.encodedWaveform(peakCount), .original]
    standsInFor = peakCounts.filter { $0 != peakCount }.map { .waveform($0) }
    self.peakCount = peakCount
    self.media = media
  }

  func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let waveform: Waveform
    if input.key.recipe == .original {
      do throws(MediaError) {
        waveform = try media.waveform(
          of: MediaInput(input.bytes),
          peakCount: peakCount,
          onPart: { context.show($0, byteCount: 2 * $0.peaks.count) },
          isCancelled: context.cancellationCheck
        )
      } catch {
        throw LoadError(error)
      }
    } else {
      guard let kept = Waveform(bytes: input.bytes) else { throw LoadError(.undecodable) }
      waveform = kept
    }
    try context.attach(waveform, byteCount: 2 * waveform.peaks.count)
  }
}
