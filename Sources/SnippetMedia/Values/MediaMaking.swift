/// Makes thumbnails of images and waveforms of recordings.
///
/// Decoders block, so call them on threads that may wait, such as those of a loader.
public protocol MediaMaking: Sendable {
  /// Makes a small picture, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - image: An image; an animated one gives its first picture.
  ///   - request: The requested size and form.
  ///   - isCancelled: Whether the result is no longer wanted; asked now and then.
  /// - Returns: The picture, not larger than the image.
  /// - Throws: ``MediaError``
  func thumbnail(
    of image: MediaInput,
    as request: ThumbnailRequest,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Thumbnail

  /// Computes the peaks of equal parts of a recording, in one pass and in constant memory.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: The number of parts, from 1 to 65,536.
  ///   - isCancelled: Whether the result is no longer wanted; asked now and then.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  func waveform(
    of recording: MediaInput,
    peakCount: Int,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform

  /// Computes the peaks of equal parts of a recording, and reports the first ones on the way.
  ///
  /// The default implementation reports none.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: The number of parts, from 1 to 65,536.
  ///   - onPart: Called now and then with the peaks so far; all later ones are silent.
  ///   - isCancelled: Whether the result is no longer wanted; asked now and then.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  func waveform(
    of recording: MediaInput,
    peakCount: Int,
    onPart: (Waveform) -> Void,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform
}

extension MediaMaking {
  /// Computes the peaks of equal parts of a recording, without reporting any on the way.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: The number of parts, from 1 to 65,536.
  ///   - onPart: Never called.
  ///   - isCancelled: Whether the result is no longer wanted; asked now and then.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  public func waveform(
    of recording: MediaInput,
    peakCount: Int,
    onPart: (Waveform) -> Void,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    try waveform(of: recording, peakCount: peakCount, isCancelled: isCancelled)
  }
}
