/// Tells what an image or a recording says of itself.
///
/// Decoders block: they are called on threads that may wait, such as those of a loader.
public protocol MediaProbe: Sendable {
  /// Reads the details out of the headers; nothing is decoded.
  ///
  /// - Parameters:
  ///   - media: An image or a recording.
  ///   - isCancelled: Tells whether the result is no longer wanted; asked now and then.
  /// - Returns: The details.
  /// - Throws: ``MediaError``
  func details(
    of media: MediaInput,
    isCancelled: () -> Bool
  ) throws(MediaError) -> MediaDetails
}

/// Makes small pictures of images.
public protocol ThumbnailMaker: Sendable {
  /// Makes a small picture, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - image: An image; of one that moves, the first picture is taken.
  ///   - request: What is wanted.
  ///   - isCancelled: Tells whether the result is no longer wanted; asked now and then.
  /// - Returns: The picture, not larger than the image.
  /// - Throws: ``MediaError``
  func thumbnail(
    of image: MediaInput,
    _ request: ThumbnailRequest,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Thumbnail
}

/// Finds out how loud recordings are.
public protocol WaveformMaker: Sendable {
  /// Finds the peaks of equal parts of a recording, reading it once and in constant memory.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: How many parts, from 1 to 65,536.
  ///   - isCancelled: Tells whether the result is no longer wanted; asked now and then.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  func waveform(
    of recording: MediaInput,
    peakCount: Int,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform
}

/// All that is made of images and recordings.
public typealias MediaMaking = MediaProbe & ThumbnailMaker & WaveformMaker
