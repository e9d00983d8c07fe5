package import SnippetMedia

/// A decoder of which a test needs a part: whatever it does not say itself cannot be decoded.
package protocol PartialMedia: MediaMaking {}

extension PartialMedia {
  package func thumbnail(
    of image: MediaInput,
    as request: ThumbnailRequest,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Thumbnail {
    throw MediaError(.noDecoder)
  }

  package func waveform(
    of recording: MediaInput,
    peakCount: Int,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    throw MediaError(.noDecoder)
  }
}

/// Decodes nothing.
package struct NoMedia: PartialMedia {
  /// Makes one.
  package init() {}
}
