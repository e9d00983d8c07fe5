public import SnippetLoading
import SnippetStorage

extension RecipeRules {
  /// Returns rules that give every image a thumbnail, every recording a waveform, and every text
  /// its beginning.
  ///
  /// Thumbnails are prefetched in the size in which they will be shown. With the pipeline
  /// `LoadPipeline(store:media:configuration:)`, thumbnails and waveforms are made once and stored;
  /// with only a store as the source, they are made from the original each time.
  ///
  /// - Parameters:
  ///   - media: The decoder.
  ///   - thumbnailSize: The largest width and height of thumbnails in pixels. The default is 320,
  ///     for the cell of a list.
  ///   - peakCount: The number of peaks in waveforms, from 1 to 65,536. The default is 100, for the
  ///     cell of a list.
  ///   - holdsWholeTexts: Whether to load whole texts, for example for an opened snippet. The
  ///     default is `false`.
  /// - Returns: The rules.
  public static func media(
    _ media: any MediaMaking,
    thumbnailSize: Int = 320,
    peakCount: Int = 100,
    holdsWholeTexts: Bool = false
  ) -> RecipeRules {
    // Later stand-ins are preferred, so the larger ones come last.
    let sizes = Set([128, 320, 1_024, min(max(1, thumbnailSize), 4_096)]).sorted()
    let peakCounts = Set([100, 1_600, min(max(1, peakCount), 65_536)]).sorted()
    let thumbnails: [any BlobProcessor] = sizes.map {
      ThumbnailProcessor($0, among: sizes, media: media)
    }
    let waveforms: [any BlobProcessor] = peakCounts.map {
      WaveformProcessor($0, among: peakCounts, media: media)
    }
    return RecipeRules(
      processors: thumbnails + waveforms + [TextProcessor.excerpt, TextProcessor.whole],
      recipes: [
        .image: [.thumbnail(thumbnailSize)], .voice: [.waveform(peakCount)],
        .text: [holdsWholeTexts ? .text : .excerpt],
      ]
    )
  }
}
