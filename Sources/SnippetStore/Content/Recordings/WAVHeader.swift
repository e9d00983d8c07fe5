/// The chunks of a WAVE recording, in RIFF or in the 64-bit forms RF64 and BW64.
///
/// RF64 and BW64: <https://www.itu.int/rec/R-REC-BS.2088>
enum WAVHeader: MediaHeader {
  static func type(in reader: inout HeaderReader) throws -> ContentType? {
    guard try reader.spells("WAVE", at: 8) else { return nil }
    return try reader.spells("RIFF", at: 0) || reader.spells("RF64", at: 0)
      || reader.spells("BW64", at: 0) ? .wav : nil
  }

  static func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    var format: WAVFormat?
    var wideByteCount: UInt64?
    var sampleCount: UInt32?
    var offset: Int64 = 12
    while true {
      let chunk = try reader.bytes(at: offset, count: 4)
      let stored = try reader.number(UInt32.self, at: offset + 4, .littleEndian)
      let content = offset + 8
      switch String(decoding: chunk, as: UTF8.self) {
      case "ds64":
        wideByteCount = try reader.number(UInt64.self, at: content + 8, .littleEndian)
      case "fmt ":
        format = try WAVFormat(at: content, in: &reader)
      case "fact":
        sampleCount = try reader.number(UInt32.self, at: content, .littleEndian)
      case "data":
        // A recorder that was stopped, or wrote into a pipe, left a size that is not true.
        let claimed = stored == .max ? wideByteCount ?? .max : UInt64(stored)
        let present = UInt64(reader.byteCount - content)
        return format?.facts(byteCount: min(claimed, present), sampleCount: sampleCount)
          ?? MediaFacts()
      default: break
      }
      offset = content + Int64(stored) + Int64(stored % 2)
    }
  }
}

/// The format chunk of a WAVE recording.
private struct WAVFormat {
  // Samples of one size, as numbers or as floating-point numbers, or as the extension says.
  private static let uncompressedTags: Set<UInt16> = [1, 3, 0xFFFE]

  private let tag: UInt16
  private let sampleRate: UInt32
  private let bytesPerSecond: UInt32
  private let bytesPerFrame: UInt16

  init(at offset: Int64, in reader: inout HeaderReader) throws {
    tag = try reader.number(UInt16.self, at: offset, .littleEndian)
    sampleRate = try reader.number(UInt32.self, at: offset + 4, .littleEndian)
    bytesPerSecond = try reader.number(UInt32.self, at: offset + 8, .littleEndian)
    bytesPerFrame = try reader.number(UInt16.self, at: offset + 12, .littleEndian)
  }

  func facts(byteCount: UInt64, sampleCount: UInt32?) -> MediaFacts {
    if Self.uncompressedTags.contains(tag), bytesPerFrame > 0 {
      return MediaFacts.recording(units: byteCount / UInt64(bytesPerFrame), rate: sampleRate)
    }
    if let sampleCount, (1..<UInt32.max).contains(sampleCount) {
      return MediaFacts.recording(units: sampleCount, rate: sampleRate)
    }
    return MediaFacts.recording(units: byteCount, rate: bytesPerSecond)
  }
}
