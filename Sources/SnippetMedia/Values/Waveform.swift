public import Foundation

/// How loud a recording is, from its beginning to its end.
public struct Waveform: Sendable, Hashable {
  /// The lowest and highest sample of one part of a recording, of all channels; full scale is 127.
  public struct Peak: Sendable, Hashable {
    /// The lowest sample, from −127.
    public let lowest: Int8
    /// The highest sample, up to 127.
    public let highest: Int8

    /// Takes numbers as they are stored.
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

    /// Samples of recordings in floating point may be beyond full scale, or no numbers at all.
    private static func stored(_ sample: Float) -> Int8 {
      guard sample.isFinite else { return sample > 0 ? 127 : sample < 0 ? -127 : 0 }
      return Int8((min(max(sample, -1), 1) * 127).rounded())
    }
  }

  /// Equal parts of the recording in order; fewer than asked for if it has fewer frames.
  public let peaks: [Peak]
  /// How many samples each channel has.
  public let frameCount: Int64
  /// The sample rate of each channel, in hertz.
  public let sampleRate: Int
  /// The number of channels.
  public let channelCount: Int

  /// The playing time.
  public var duration: Duration {
    sampleRate > 0 ? .seconds(Double(frameCount) / Double(sampleRate)) : .zero
  }

  /// Makes a waveform out of its parts.
  ///
  /// - Parameters:
  ///   - peaks: The parts in order.
  ///   - frameCount: How many samples each channel has.
  ///   - sampleRate: How many samples a second each channel has.
  ///   - channelCount: How many channels there are.
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

  /// The waveform as it is kept: 16 bytes, and two for each peak.
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

  /// Reads a waveform as it is kept.
  ///
  /// - Parameter bytes: What ``bytes`` gave; `nil` is returned for anything else.
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
