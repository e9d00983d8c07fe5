/// Makes thumbnails of images and waveforms of recordings.
///
/// Decoders block: call them on threads that may wait, such as those of a loader.
public protocol MediaMaking: Sendable {
  /// Makes a small picture, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - image: An image; of one that moves, the first picture is taken.
  ///   - request: What is wanted.
  ///   - isCancelled: Whether the result is no longer wanted; asked now and then.
  /// - Returns: The picture, not larger than the image.
  /// - Throws: ``MediaError``
  func thumbnail(
    of image: MediaInput,
    as request: ThumbnailRequest,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Thumbnail

  /// Finds the peaks of equal parts of a recording, reading it once and in constant memory.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: How many parts, from 1 to 65,536.
  ///   - isCancelled: Whether the result is no longer wanted; asked now and then.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  func waveform(
    of recording: MediaInput,
    peakCount: Int,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform

  /// Finds the peaks of equal parts of a recording, and tells of the first while it goes on.
  ///
  /// The default tells of none.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: How many parts, from 1 to 65,536.
  ///   - onPart: Called now and then with the peaks found so far; all after them are silent.
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
  /// Finds the peaks of equal parts of a recording, and tells of none before all are found.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: How many parts, from 1 to 65,536.
  ///   - onPart: Is not called.
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
