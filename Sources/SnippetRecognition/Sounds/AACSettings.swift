/// The settings that an AAC decoder needs before the first frame.
struct AACSettings {
  /// The sample rate of the output, in hertz.
  let sampleRate: UInt32
  /// The number of output channels; zero if it is given elsewhere.
  let channelCount: UInt32

  /// The sample rates by index.
  static let sampleRates: [UInt32] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
    7350,
  ]
  /// The numbers of channels by index; zero if they are given elsewhere.
  static let channelCounts: [UInt32] = [0, 1, 2, 3, 4, 5, 6, 8, 0, 0, 0, 7, 8, 24, 8]
  private static let bandReplication: UInt64 = 5
  private static let parametricStereo: UInt64 = 29
  // Real settings take about five bytes.
  private static let maximumByteCount = 64

  /// Reads the settings from an elementary stream descriptor; `nil` if there are none.
  ///
  /// ISO/IEC 14496-1, section 7.2.6.
  init?(in box: ISOBox, _ reader: inout HeaderReader) throws {
    guard let stream = try Self.descriptor(3, at: box.content.lowerBound, &reader) else {
      return nil
    }
    let flags = try reader.number(UInt8.self, at: stream.lowerBound + 2, .bigEndian)
    var offset = stream.lowerBound + 3
    if flags & 0x80 != 0 { offset += 2 }
    if flags & 0x40 != 0 {
      offset += 1 + Int64(try reader.number(UInt8.self, at: offset, .bigEndian))
    }
    if flags & 0x20 != 0 { offset += 2 }
    guard let decoder = try Self.descriptor(4, at: offset, &reader),
      let settings = try Self.descriptor(5, at: decoder.lowerBound + 13, &reader)
    else { return nil }
    let byteCount = min(settings.count, Self.maximumByteCount)
    self.init(try reader.bytes(at: settings.lowerBound, count: byteCount))
  }

  /// Parses the settings; `nil` if they are truncated or useless.
  ///
  /// ISO/IEC 14496-3, section 1.6.2.1.
  init?(_ bytes: [UInt8]) {
    var bits = BitReader(bytes)
    var type = bits.next(5)
    if type == 31 { type = bits.next(6).map { 32 + $0 } }
    guard let type, let coded = Self.sampleRate(&bits), let number = bits.next(4),
      Self.channelCounts.indices.contains(Int(number))
    else { return nil }
    let channelCount = Self.channelCounts[Int(number)]
    guard type == Self.bandReplication || type == Self.parametricStereo else {
      (self.sampleRate, self.channelCount) = (coded, channelCount)
      return
    }
    // The decoder generates the rest: the upper half of the spectrum, the second channel.
    sampleRate = Self.sampleRate(&bits) ?? coded
    self.channelCount =
      type == Self.parametricStereo && channelCount == 1 ? 2 : channelCount
  }

  private static func sampleRate(_ bits: inout BitReader) -> UInt32? {
    guard let index = bits.next(4) else { return nil }
    if index == 15 { return bits.next(24).map { UInt32($0) } }
    return sampleRates.indices.contains(Int(index)) ? sampleRates[Int(index)] : nil
  }

  /// Returns the range of a descriptor's content; `nil` if another descriptor is there.
  private static func descriptor(
    _ tag: UInt8,
    at offset: Int64,
    _ reader: inout HeaderReader
  ) throws -> Range<Int64>? {
    guard try reader.number(UInt8.self, at: offset, .bigEndian) == tag else { return nil }
    var start = offset + 1
    var byteCount: Int64 = 0
    // Seven bits of each byte count; the highest tells whether another byte follows.
    for _ in 0..<4 {
      let byte = try reader.number(UInt8.self, at: start, .bigEndian)
      start += 1
      byteCount = byteCount << 7 | Int64(byte & 0x7F)
      if byte & 0x80 == 0 { break }
    }
    return start..<start + byteCount
  }
}

/// Reads numbers that do not consist of whole bytes.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Reads a number, highest bit first; `nil` if there are not enough bits.
  mutating func next(_ count: Int) -> UInt64? {
    guard count <= bytes.count * 8 - position else { return nil }
    var number: UInt64 = 0
    for _ in 0..<count {
      number = number << 1 | UInt64(bytes[position / 8] >> UInt8(7 - position % 8) & 1)
      position += 1
    }
    return number
  }
}
