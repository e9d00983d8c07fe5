public import SnippetLoading
import SnippetStorage

extension RecipeRules {
  /// Every image needs a thumbnail, every recording a waveform, and every text its beginning.
  ///
  /// Thumbnails are made ahead in the size in which they will be shown. Over a ``MediaSource``
  /// thumbnails and waveforms are made once and kept; over a store alone they are made from the
  /// original each time.
  ///
  /// - Parameters:
  ///   - media: What decodes.
  ///   - thumbnailSize: The most pixels a side of the thumbnails. The default is 320, for the cell
  ///     of a list.
  ///   - peakCount: How many peaks the waveforms have, from 1 to 65,536. The default is 100, for the
  ///     cell of a list.
  ///   - holdsWholeTexts: Whether texts are whole, as for what a user opens. The default is that
  ///     they are not.
  /// - Returns: The rules.
  public static func media(
    _ media: any MediaMaking,
    thumbnailSize: Int = 320,
    peakCount: Int = 100,
    holdsWholeTexts: Bool = false
  ) -> RecipeRules {
    // Among those that may stand in, the later ones come first: here the larger ones.
    let sizes = Set([128, 320, 1_024, min(max(1, thumbnailSize), 4_096)]).sorted()
    let peakCounts = Set([100, 1_600, min(max(1, peakCount), 65_536)]).sorted()
    let thumbnails: [any BlobProcessor] = sizes.map {
      ThumbnailProcessor($0, among: sizes, media: media)
    }
    let waveforms: [any BlobProcessor] = peakCounts.map {
      WaveformProcessor($0, among: peakCounts, media: media)
    }
    return RecipeRules(
      processors: thumbnails + waveforms + [TextExcerpt(), WholeText()],
      recipes: [
        .image: [.thumbnail(thumbnailSize)], .voice: [.waveform(peakCount)],
        .text: [holdsWholeTexts ? .text : .excerpt],
      ]
    )
  }
}
