internal import CMedia
import SnippetBase
internal import SnippetStorage

extension LibraryMedia {
  /// Computes the peaks of equal parts of a recording, in one pass and in constant memory.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: The number of parts, from 1 to 65,536.
  ///   - isCancelled: Tells whether to stop.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  public func waveform(
    of recording: MediaInput,
    peakCount: Int,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    try waveform(of: recording, peakCount: peakCount, onPart: { _ in }, isCancelled: isCancelled)
  }

  /// Computes the peaks of equal parts of a recording, and reports the first ones on the way.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: The number of parts, from 1 to 65,536.
  ///   - onPart: Called at most ten times a second with the peaks so far; all later ones are
  ///     silent.
  ///   - isCancelled: Tells whether to stop.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  public func waveform(
    of recording: MediaInput,
    peakCount: Int,
    onPart: (Waveform) -> Void,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    let content = try content(of: recording, as: .voice)
    let recording = try recording.withoutJunk()
    let count = min(max(1, peakCount), 65_536)
    return try withDeadline(isCancelled) { deadline throws(MediaError) in
      try withoutActuallyEscaping(onPart) { onPart throws(MediaError) in
        try peaks(of: recording, content, SoundPeaks(count, deadline, partInterval, onPart))
      }
    }
  }

  private func peaks(
    of recording: MediaInput,
    _ content: RecognizedContent,
    _ peaks: SoundPeaks
  ) throws(MediaError) -> Waveform {
    guard let demuxer = SoundFormat(content.type)?.demuxer else {
      throw MediaError(noDecoderFor: content.type)
    }
    var reason = snippet_libav_reason()
    var made: Int32 = 0
    let isCut = try recording.isCut(content.type)
    let reading = SoundReading(recording)
    let status = reading.withSource { source in
      var request = snippet_sound_request()
      request.seconds = content.facts.duration.map { $0 / .seconds(1) } ?? -1
      request.bucket_count = Int32(peaks.lowest.count)
      request.is_cut = isCut ? 1 : 0
      return demuxer.withCString { demuxer in
        request.demuxer = demuxer
        return snippet_sound_peaks(
          &source,
          &request,
          { context, foundCount in
            guard let context else { return 1 }
            let peaks = Unmanaged<SoundPeaks>.fromOpaque(context).takeUnretainedValue()
            return peaks.goesOn(afterFinding: Int(foundCount)) ? 0 : 1
          },
          Unmanaged.passUnretained(peaks).toOpaque(),
          peaks.lowest.baseAddress,
          peaks.highest.baseAddress,
          &made,
          peaks.header,
          &reason
        )
      }
    }
    if let error = reading.error { throw error }
    if status == Int32(snippet_libav_stopped.rawValue) { throw peaks.deadline.error }
    guard status == 0 else { throw MediaError(soundStatus: status, reason.words, content.type) }
    return peaks.waveform(foundCount: Int(made), count: Int(made))
  }
}

/// The peaks of a recording, as computed in C.
private final class SoundPeaks {
  let lowest: UnsafeMutableBufferPointer<Float>
  let highest: UnsafeMutableBufferPointer<Float>
  let header = UnsafeMutablePointer<snippet_sound_header>.allocate(capacity: 1)
  let deadline: MediaDeadline
  private let partInterval: Duration
  private let onPart: (Waveform) -> Void
  private var lastPart = ContinuousClock.now
  private var toldCount = 0

  init(
    _ count: Int,
    _ deadline: MediaDeadline,
    _ partInterval: Duration,
    _ onPart: @escaping (Waveform) -> Void
  ) {
    lowest = .allocate(capacity: count)
    highest = .allocate(capacity: count)
    lowest.initialize(repeating: 0)
    highest.initialize(repeating: 0)
    header.initialize(to: snippet_sound_header())
    self.deadline = deadline
    self.partInterval = partInterval
    self.onPart = onPart
  }

  deinit {
    lowest.deallocate()
    highest.deallocate()
    header.deallocate()
  }

  /// Reports the finished parts, and returns whether to continue.
  func goesOn(afterFinding foundCount: Int) -> Bool {
    guard !deadline.isOver else { return false }
    let now = ContinuousClock.now
    guard foundCount > toldCount, now - lastPart >= partInterval else { return true }
    (toldCount, lastPart) = (foundCount, now)
    let count = min(lowest.count, Int(clamping: header.pointee.frame_count))
    onPart(waveform(foundCount: min(foundCount, count), count: count))
    return true
  }

  func waveform(foundCount: Int, count: Int) -> Waveform {
    let found = (0..<foundCount).map { part in
      // Samples that are not numbers make no sound.
      lowest[part] <= highest[part]
        ? Waveform.Peak(lowest: lowest[part], highest: highest[part])
        : Waveform.Peak(lowest: Int8(0), highest: 0)
    }
    let silence = Waveform.Peak(lowest: Int8(0), highest: 0)
    return Waveform(
      peaks: found + Array(repeating: silence, count: count - foundCount),
      frameCount: header.pointee.frame_count,
      sampleRate: Int(header.pointee.sample_rate),
      channelCount: Int(header.pointee.channel_count)
    )
  }
}

/// Lets C read a recording, and keeps the first error.
private final class SoundReading {
  private let recording: MediaInput
  private(set) var error: MediaError?

  init(_ recording: MediaInput) {
    self.recording = recording
  }

  func withSource<Result>(_ body: (inout snippet_sound_source) -> Result) -> Result {
    var source = snippet_sound_source()
    source.byte_count = recording.byteCount
    source.context = Unmanaged.passUnretained(self).toOpaque()
    source.read = { context, bytes, count, offset in
      guard let context, let bytes, let count = Int(exactly: count), count > 0 else { return 0 }
      let reading = Unmanaged<SoundReading>.fromOpaque(context).takeUnretainedValue()
      return reading.read(UnsafeMutableRawBufferPointer(start: bytes, count: count), at: offset)
    }
    return withExtendedLifetime(self) { body(&source) }
  }

  // The library requests a few kilobytes at a time, which may be far apart.
  private var window = [UInt8](repeating: 0, count: MediaInput.pieceByteCount)
  private var windowRange: Range<Int64> = 0..<0

  private func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int64 {
    var count = 0
    // Stop at the first error.
    while error == nil, count < buffer.count {
      let place = offset + Int64(count)
      if !windowRange.contains(place) { fillWindow(from: place) }
      guard windowRange.contains(place) else { break }
      let start = Int(place - windowRange.lowerBound)
      let end = min(Int(windowRange.count), start + buffer.count - count)
      window.withUnsafeBytes { window in
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: window[start..<end]))
      }
      count += end - start
    }
    return Int64(count)
  }

  private func fillWindow(from offset: Int64) {
    let result = window.withUnsafeMutableBytes { window in
      Result { () throws(MediaError) in try recording.read(into: window, at: offset) }
    }
    switch result {
    case .success(let count): windowRange = offset..<offset + Int64(count)
    case .failure(let error): self.error = error
    }
  }
}

extension MediaError {
  fileprivate init(soundStatus status: Int32, _ words: String, _ type: ContentType) {
    switch snippet_libav_status(rawValue: UInt32(status)) {
    case snippet_libav_no_library, snippet_libav_no_decoder: self.init(noDecoderFor: type)
    default: self.init(undecodable: words, type)
    }
  }
}

extension snippet_libav_reason {
  fileprivate var words: String { withUnsafeBytes(of: text) { String(zeroTerminated: $0) } }
}
