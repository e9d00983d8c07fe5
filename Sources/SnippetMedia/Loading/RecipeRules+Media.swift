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
  /// - Returns: The rules.
  public static func media(_ media: any MediaMaking, thumbnailSize: Int = 320) -> RecipeRules {
    // Among those that may stand in, the later ones come first: here the larger ones.
    let sizes = Set([128, 320, 1_024, min(max(1, thumbnailSize), 4_096)]).sorted()
    let peakCounts = [100, 1_600]
    let thumbnails: [any BlobProcessor] = sizes.map {
      ThumbnailProcessor($0, among: sizes, media: media)
    }
    let waveforms: [any BlobProcessor] = peakCounts.map {
      WaveformProcessor($0, among: peakCounts, media: media)
    }
    return RecipeRules(
      processors: thumbnails + waveforms + [TextExcerpt()],
      recipes: [
        .image: [.thumbnail(thumbnailSize)], .voice: [.waveform()], .text: [.excerpt],
      ]
    )
  }
}
