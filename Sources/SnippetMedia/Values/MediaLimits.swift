/// What decoding one image or recording may cost.
///
/// A file of a few kilobytes may claim to be a picture of gigabytes.
public struct MediaLimits: Sendable, Hashable {
  /// The most bytes that an image may have, since it is held in memory to be decoded.
  ///
  /// The default is 256 MiB. A recording is read in pieces and may have any size.
  public var maximumImageByteCount: Int64
  /// The most pixels that an image may have.
  ///
  /// The default is 150 million.
  public var maximumPixelCount: Int64
  /// The longest time for one image or recording.
  ///
  /// The default is 10 seconds. A worker is killed then. In the process itself decoders are asked
  /// to stop, which some do late.
  public var timeLimit: Duration
  /// The most memory that a worker may use beyond what it needs to start, in bytes.
  ///
  /// The default is 1 GiB. In the process itself only a BMP is kept to it.
  public var maximumMemoryByteCount: Int64

  /// Sets the limits.
  ///
  /// - Parameters:
  ///   - maximumImageByteCount: The most bytes that an image may have.
  ///   - maximumPixelCount: The most pixels that an image may have.
  ///   - timeLimit: The longest time for one image or recording.
  ///   - maximumMemoryByteCount: The most memory that a worker may take.
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

/// When decoding has to stop.
struct MediaDeadline {
  private let end: ContinuousClock.Instant
  private let isCancelled: () -> Bool
  private let limit: Duration

  init(_ limits: MediaLimits, isCancelled: @escaping () -> Bool) {
    end = .now + limits.timeLimit
    limit = limits.timeLimit
    self.isCancelled = isCancelled
  }

  var isOver: Bool { isCancelled() || ContinuousClock.now >= end }

  /// Why it was over.
  var error: MediaError {
    isCancelled()
      ? MediaError(.cancelled) : MediaError(.timedOut, reason: "it took longer than \(limit)")
  }
}
