internal import SnippetStorage

/// What reading a BMP may cost.
struct BitmapRoom {
  private let limits: MediaLimits
  private let deadline: MediaDeadline
  private let fileByteCount: Int

  /// Starts to count.
  ///
  /// - Parameters:
  ///   - limits: What may be taken.
  ///   - deadline: When to stop.
  ///   - fileByteCount: What the file itself takes of the memory.
  init(_ limits: MediaLimits, _ deadline: MediaDeadline, fileByteCount: Int) {
    self.limits = limits
    self.deadline = deadline
    self.fileByteCount = fileByteCount
  }

  /// Tells now and then whether to go on.
  var watch: Watch { Watch(deadline: deadline) }

  /// Checks how many pixels there are, before anything is done for each of them.
  ///
  /// - Parameter header: What the file says of itself.
  /// - Throws: ``MediaError/Code/tooLarge``
  func check(_ header: BitmapHeader) throws(MediaError) {
    let (count, isBeyond) = header.width.multipliedReportingOverflow(by: header.height)
    guard !isBeyond, Int64(count) <= limits.maximumPixelCount, count <= UInt32.max else {
      throw MediaError(
        .tooLarge,
        reason: "it has more than \(limits.maximumPixelCount) pixels"
      )
    }
  }

  /// The size of a picture whose pixels may be held in memory.
  ///
  /// - Parameters:
  ///   - header: What the file says of itself, checked by ``check(_:)``.
  ///   - channelCount: How many bytes each pixel is to take.
  /// - Returns: The size.
  /// - Throws: ``MediaError/Code/tooLarge``
  func size(
    of header: BitmapHeader,
    channelCount: Int
  ) throws(MediaError) -> PlainTIFF.Size {
    let size = PlainTIFF.Size(
      width: header.width,
      height: header.height,
      channelCount: channelCount
    )
    let byteCount = header.width * header.height * channelCount
    guard byteCount <= PlainTIFF.maximumByteCount,
      Int64(byteCount + fileByteCount) <= limits.maximumMemoryByteCount
    else {
      throw MediaError(
        .tooLarge,
        reason: "it takes more than \(limits.maximumMemoryByteCount) bytes of memory"
      )
    }
    return size
  }

  /// Looks at the clock after so many pixels, not after each.
  struct Watch {
    fileprivate let deadline: MediaDeadline
    private var count = 0

    fileprivate init(deadline: MediaDeadline) {
      self.deadline = deadline
    }

    /// Counts pixels.
    ///
    /// - Parameter pixelCount: How many are next.
    /// - Throws: ``MediaError/Code/cancelled``, ``MediaError/Code/timedOut``
    mutating func passed(_ pixelCount: Int) throws(MediaError) {
      count += pixelCount
      guard count >= 1 << 18 else { return }
      count = 0
      if deadline.isOver { throw deadline.error }
    }
  }
}
