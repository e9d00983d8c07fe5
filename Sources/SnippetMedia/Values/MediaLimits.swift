import SnippetBase

/// The limits of decoding one image or recording.
///
/// A file of a few kilobytes may claim to be a picture of gigabytes.
public struct MediaLimits: Sendable, Hashable {
  /// The most bytes of an image, which is held in memory while it is decoded.
  ///
  /// The default is 256 MiB. A recording is read in pieces and may have any size.
  public var maximumImageByteCount: Int64
  /// The most pixels of an image.
  ///
  /// The default is 150 million.
  public var maximumPixelCount: Int64
  /// The longest time for one image or recording, without the time for which the machine sleeps.
  ///
  /// The default is 10 seconds. A worker is then killed. In the same process, decoders are asked to
  /// stop, and some do so late.
  public var timeLimit: Duration
  /// The most memory that a worker may use beyond its needs at the start, in bytes.
  ///
  /// The default is 1 GiB. In the same process, this only limits BMP files.
  public var maximumMemoryByteCount: Int64

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - maximumImageByteCount: The most bytes of an image.
  ///   - maximumPixelCount: The most pixels of an image.
  ///   - timeLimit: The longest time for one image or recording.
  ///   - maximumMemoryByteCount: The most memory that a worker may use.
  public init(
    maximumImageByteCount: Int64 = 256 << 20,
    maximumPixelCount: Int64 = 150_000_000,
    timeLimit: Duration = .seconds(10),
    maximumMemoryByteCount: Int64 = 1 << 30
  ) {
    self.maximumImageByteCount = max(0, maximumImageByteCount)
    self.maximumPixelCount = max(0, maximumPixelCount)
    self.timeLimit = max(.zero, timeLimit)
    self.maximumMemoryByteCount = max(0, maximumMemoryByteCount)
  }
}

/// The time at which decoding must stop.
struct MediaDeadline {
  private let end: WorkClock.Instant
  private let isCancelled: () -> Bool
  private let limit: Duration

  init(_ limits: MediaLimits, isCancelled: @escaping () -> Bool) {
    end = .now + limits.timeLimit
    limit = limits.timeLimit
    self.isCancelled = isCancelled
  }

  var isOver: Bool { isCancelled() || WorkClock.now >= end }

  /// The reason for stopping.
  var error: MediaError {
    isCancelled()
      ? MediaError(.cancelled) : MediaError(.timedOut, reason: "it took longer than \(limit)")
  }
}
