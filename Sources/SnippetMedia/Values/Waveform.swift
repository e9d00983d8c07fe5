public import Foundation

/// The loudness of a recording, from its beginning to its end.
public struct Waveform: Sendable, Hashable {
  /// The lowest and highest sample in a part of a recording, over all channels; full scale is 127.
  public struct Peak: Sendable, Hashable {
    /// The lowest sample, at least −127.
    public let lowest: Int8
    /// The highest sample, at most 127.
    public let highest: Int8

    /// Makes a peak from stored numbers.
    ///
    /// - Parameters:
    ///   - lowest: The lowest sample.
    ///   - highest: The highest sample.
    public init(lowest: Int8, highest: Int8) {
      self.lowest = lowest
      self.highest = highest
    }

    init(lowest: Float, highest: Float) {
      self.init(lowest: Self.stored(lowest), highest: Self.stored(highest))
    }

    /// Floating-point samples may exceed full scale, or not be numbers at all.
    private static func stored(_ sample: Float) -> Int8 {
      guard sample.isFinite else { return sample > 0 ? 127 : sample < 0 ? -127 : 0 }
      return Int8((min(max(sample, -1), 1) * 127).rounded())
    }
  }

  /// The peaks of equal parts of the recording in order; fewer than requested if it has fewer
  /// frames.
  public let peaks: [Peak]
  /// The number of samples in each channel.
  public let frameCount: Int64
  /// The sample rate of each channel in hertz; 0 when there is no sample.
  public let sampleRate: Int
  /// The number of channels; 0 when there is no sample.
  public let channelCount: Int

  /// The playing time.
  public var duration: Duration {
    sampleRate > 0 ? .seconds(Double(frameCount) / Double(sampleRate)) : .zero
  }

  /// Makes a waveform from its parts.
  ///
  /// - Parameters:
  ///   - peaks: The peaks in order.
  ///   - frameCount: The number of samples in each channel.
  ///   - sampleRate: The sample rate of each channel in hertz.
  ///   - channelCount: The number of channels.
  public init(peaks: [Peak], frameCount: Int64, sampleRate: Int, channelCount: Int) {
    self.peaks = peaks
    self.frameCount = frameCount
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}

extension Waveform {
  private static let version: UInt8 = 1
  private static let headByteCount = 16

  /// The waveform in stored form: 16 bytes, and two for each peak.
  public var bytes: Data {
    var bytes = Data(capacity: Self.headByteCount + 2 * peaks.count)
    bytes.append(Self.version)
    bytes.append(UInt8(clamping: channelCount))
    withUnsafeBytes(of: UInt32(clamping: sampleRate).littleEndian) { bytes.append(contentsOf: $0) }
    withUnsafeBytes(of: UInt64(clamping: frameCount).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: [0, 0])
    for peak in peaks {
      bytes.append(UInt8(bitPattern: peak.lowest))
      bytes.append(UInt8(bitPattern: peak.highest))
    }
    return bytes
  }

  /// Reads a waveform in stored form.
  ///
  /// - Parameter bytes: The value of ``bytes``; anything else gives `nil`.
  public init?(bytes: Data) {
    let bytes = [UInt8](bytes)
    guard bytes.count >= Self.headByteCount, bytes.count % 2 == 0, bytes[0] == Self.version
    else { return nil }
    func number(_ range: Range<Int>) -> UInt64 {
      bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
    self.init(
      peaks: stride(from: Self.headByteCount, to: bytes.count, by: 2).map { place in
        Peak(lowest: Int8(bitPattern: bytes[place]), highest: Int8(bitPattern: bytes[place + 1]))
      },
      frameCount: Int64(clamping: number(6..<14)),
      sampleRate: Int(number(2..<6)),
      channelCount: Int(bytes[1])
    )
  }
}
