package import SnippetMedia

/// A decoder for a test that needs only a part of it: everything it does not define fails to
/// decode.
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
