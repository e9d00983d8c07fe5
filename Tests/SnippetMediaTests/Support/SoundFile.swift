import Foundation
import SnippetTestSupport

/// How a WAV keeps its samples.
enum SampleFormat: String, CaseIterable, Sendable {
  case unsigned8, signed16, signed24, signed32, float32, float64

  var bitCount: Int {
    switch self {
    case .unsigned8: 8
    case .signed16: 16
    case .signed24: 24
    case .signed32, .float32: 32
    case .float64: 64
    }
  }

  var isFloat: Bool { self == .float32 || self == .float64 }

  func bytes(_ sample: Double) -> [UInt8] {
    switch self {
    case .unsigned8: [UInt8(128 + Self.whole(sample, 128))]
    case .signed16: Int16(Self.whole(sample, 32_768)).littleEndianBytes
    case .signed24: Array(Int32(Self.whole(sample, 8_388_608)).littleEndianBytes.prefix(3))
    case .signed32: Int32(Self.whole(sample, 2_147_483_648)).littleEndianBytes
    case .float32: Float(sample).bitPattern.littleEndianBytes
    case .float64: sample.bitPattern.littleEndianBytes
    }
  }

  /// What a reader finds again, full scale being 1.
  func kept(_ sample: Double) -> Double {
    switch self {
    case .unsigned8: Double(Self.whole(sample, 128)) / 128
    case .signed16: Double(Self.whole(sample, 32_768)) / 32_768
    case .signed24: Double(Self.whole(sample, 8_388_608)) / 8_388_608
    case .signed32: Double(Self.whole(sample, 2_147_483_648)) / 2_147_483_648
    case .float32, .float64: sample
    }
  }

  private static func whole(_ sample: Double, _ scale: Double) -> Int {
    Int(min(max((sample * scale).rounded(), -scale), scale - 1))
  }
}

/// A recording that a test makes.
struct SoundFile {
  var format = SampleFormat.signed16
  var sampleRate = 8_000
  /// The samples of each channel, full scale being 1.
  var channels: [[Double]]

  /// The first channel, in 16 bits.
  private var bigEndianSamples: [UInt8] {
    channels[0].flatMap { SampleFormat.signed16.bytes($0).reversed() }
  }

  /// As an AIFF at 8,000 samples a second.
  var aiff: Data {
    let samples = bigEndianSamples
    let common =
      UInt16(1).bigEndianBytes + UInt32(samples.count / 2).bigEndianBytes
      + UInt16(16).bigEndianBytes + [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
    var body = Array("AIFFCOMM".utf8) + UInt32(common.count).bigEndianBytes + common
    body += Array("SSND".utf8) + UInt32(samples.count + 8).bigEndianBytes
    body += [UInt8](repeating: 0, count: 8) + samples
    return Data(Array("FORM".utf8) + UInt32(body.count).bigEndianBytes + body)
  }

  /// As a Core Audio file.
  var caf: Data {
    let samples = bigEndianSamples
    var bytes = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + UInt64(32).bigEndianBytes
    bytes += Double(sampleRate).bitPattern.bigEndianBytes + Array("lpcm".utf8)
    for number in [0, 2, 1, 1, 16] as [UInt32] { bytes += number.bigEndianBytes }
    bytes += Array("data".utf8) + UInt64(samples.count + 4).bigEndianBytes
    return Data(bytes + [0, 0, 0, 0] + samples)
  }

  var wav: Data {
    let frameCount = channels.first?.count ?? 0
    var samples: [UInt8] = []
    for frame in 0..<frameCount {
      for channel in channels { samples += format.bytes(channel[frame]) }
    }
    let width = format.bitCount / 8 * channels.count
    var chunk = UInt16(format.isFloat ? 3 : 1).littleEndianBytes
    chunk += UInt16(channels.count).littleEndianBytes + UInt32(sampleRate).littleEndianBytes
    chunk += UInt32(sampleRate * width).littleEndianBytes + UInt16(width).littleEndianBytes
    chunk += UInt16(format.bitCount).littleEndianBytes
    let body =
      Array("WAVEfmt ".utf8) + UInt32(chunk.count).littleEndianBytes + chunk
      + Array("data".utf8) + UInt32(samples.count).littleEndianBytes + samples
    return Data(Array("RIFF".utf8) + UInt32(body.count).littleEndianBytes + body)
  }
}
