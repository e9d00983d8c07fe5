public import SnippetLoading
internal import SnippetStorage

extension VariantRules {
  /// Every image needs a thumbnail, every recording a waveform, and every long text its beginning.
  ///
  /// What is about to be visible has its thumbnail made in the size that it will be shown in.
  ///
  /// - Parameters:
  ///   - media: What decodes.
  ///   - thumbnail: The size of the thumbnails. The default is that of a cell in a list.
  ///   - isKept: Whether the loader's source is a ``MediaSource``. The default is that it is.
  /// - Returns: The rules.
  public static func media(
    _ media: any MediaMaking,
    thumbnail: BlobVariant = .mediumThumbnail,
    isKept: Bool = true
  ) -> VariantRules {
    let thumbnails: [any BlobProcessor] =
      // Among those that may stand in, the later ones come first: here the larger ones.
      MediaRecipe.forImages.map { ThumbnailProcessor($0, media: media, isKept: isKept) }
    let waveforms: [any BlobProcessor] = MediaRecipe.forRecordings.map {
      WaveformProcessor($0, media: media, isKept: isKept)
    }
    let wanted: (image: [BlobVariant], voice: [BlobVariant], text: [BlobVariant]) = (
      [thumbnail], [.waveform], [.excerpt]
    )
    return VariantRules(processors: thumbnails + waveforms + [TextExcerpt(.excerpt)]) { row, _ in
      switch row.kind {
      case .image: wanted.image
      case .voice: wanted.voice
      case .text: wanted.text
      }
    }
  }
}
