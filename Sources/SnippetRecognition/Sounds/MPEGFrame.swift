/// The head of one frame of MPEG audio, layer III.
///
/// ISO/IEC 11172-3 and 13818-3; version 2.5 is Fraunhofer's extension of them.
struct MPEGFrame {
  private static let bitRates = (
    version1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    version2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
  )
  private static let sampleRates = [44_100, 48_000, 32_000]
  // Synchronization, version, layer and sample rate are the same in all frames of a stream.
  private static let streamMask: UInt32 = 0xFFFE_0C00

  private let bits: UInt32
  /// The bit rate in bits per second.
  let bitsPerSecond: Int
  /// The sample rate in hertz.
  let sampleRate: Int

  /// Parses the head; `nil` if it is not of layer III or does not give the bit rate.
  init?(_ bits: UInt32) {
    let version = bits >> 19 & 3
    let layer = bits >> 17 & 3
    let rateIndex = Int(bits >> 12 & 15)
    let sampleRateIndex = Int(bits >> 10 & 3)
    guard bits >> 21 == 0x7FF, version != 1, layer == 1, (1...14).contains(rateIndex),
      sampleRateIndex < 3, bits & 3 != 2
    else { return nil }
    self.bits = bits
    let isVersion1 = version == 3
    let rates = isVersion1 ? Self.bitRates.version1 : Self.bitRates.version2
    bitsPerSecond = rates[rateIndex - 1] * 1000
    let divisor = isVersion1 ? 1 : version == 2 ? 2 : 4
    sampleRate = Self.sampleRates[sampleRateIndex] / divisor
  }

  private var isVersion1: Bool { bits >> 19 & 3 == 3 }
  private var isMono: Bool { bits >> 6 & 3 == 3 }

  /// The number of channels.
  var channelCount: Int { isMono ? 1 : 2 }

  /// The number of samples per channel in a frame.
  var samplesPerFrame: Int { isVersion1 ? 1152 : 576 }

  /// The size of the frame with its head.
  var byteCount: Int64 {
    let isPadded = bits >> 9 & 1 == 1
    return Int64(samplesPerFrame / 8 * bitsPerSecond / sampleRate + (isPadded ? 1 : 0))
  }

  /// The size of the side information between the head and the sound.
  var sideInformationByteCount: Int64 {
    switch (isVersion1, isMono) {
    case (true, false): 32
    case (true, true), (false, false): 17
    case (false, true): 9
    }
  }

  /// Checks whether two frames can belong to one recording.
  ///
  /// Returns whether everything that stays constant within a recording is equal.
  func isOfOneStream(with other: MPEGFrame) -> Bool {
    bits & Self.streamMask == other.bits & Self.streamMask
  }
}
