/// The sample rate and the channels of a track in an MPEG-4 file.
///
/// ISO/IEC 14496-12, section 12.2.3, and 14496-14; Apple Lossless: its magic cookie.
struct M4ASoundFormat {
  /// The sample rate of each channel, in hertz.
  let sampleRate: UInt32
  /// The number of channels.
  let channelCount: UInt32

  // The position of the boxes in a sample entry, by QuickTime's version of the entry.
  private static let entryByteCounts: [UInt16: Int64] = [0: 28, 1: 44]
  // AMR, as phones record it into 3GP files.
  private static let speechSampleRates: [String: UInt32] = ["samr": 8000, "sawb": 16_000]

  /// Reads the format of a track; `nil` if it is not given.
  init?(of media: ISOBox, in reader: inout HeaderReader) throws {
    guard
      let descriptions = try media.child("minf", in: &reader)?.child("stbl", in: &reader)?
        .child("stsd", in: &reader),
      let entry = try descriptions.skipping(8).children(in: &reader).first
    else { return nil }
    // For these codecs the entry always says stereo, but they have one channel.
    if let sampleRate = Self.speechSampleRates[entry.type] {
      (self.sampleRate, channelCount) = (sampleRate, 1)
      return
    }
    let start = entry.content.lowerBound
    let version = try reader.number(UInt16.self, at: start + 8, .bigEndian)
    if let byteCount = Self.entryByteCounts[version] {
      // For some codecs the entry always says stereo, and it is limited to 65,535 Hz.
      let boxes = try entry.skipping(byteCount).children(in: &reader)
      if let format = try reader.attempt({ try Self.codecFormat(in: boxes, &$0) }) ?? nil {
        self = format
      } else {
        sampleRate = try reader.number(UInt32.self, at: start + 24, .bigEndian) >> 16
        channelCount = UInt32(try reader.number(UInt16.self, at: start + 16, .bigEndian))
      }
    } else if version == 2 {
      let rate = Double(bitPattern: try reader.number(UInt64.self, at: start + 32, .bigEndian))
      sampleRate = UInt32(exactly: rate.rounded()) ?? 0
      channelCount = try reader.number(UInt32.self, at: start + 40, .bigEndian)
    } else {
      return nil
    }
  }

  private init?(sampleRate: UInt32, channelCount: UInt32) {
    guard sampleRate > 0, channelCount > 0 else { return nil }
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// Reads the codec's own description, if the codec is known.
  private static func codecFormat(
    in boxes: [ISOBox],
    _ reader: inout HeaderReader
  ) throws -> M4ASoundFormat? {
    for box in boxes {
      let start = box.content.lowerBound
      switch box.type {
      case "esds":
        guard let settings = try AACSettings(in: box.skippingVersion, &reader) else { return nil }
        return M4ASoundFormat(
          sampleRate: settings.sampleRate,
          channelCount: settings.channelCount
        )
      case "alac":
        return M4ASoundFormat(
          sampleRate: try reader.number(UInt32.self, at: start + 24, .bigEndian),
          channelCount: UInt32(try reader.number(UInt8.self, at: start + 13, .bigEndian))
        )
      case "dOps":
        return M4ASoundFormat(
          // Opus always plays at this rate.
          sampleRate: 48_000,
          channelCount: UInt32(try reader.number(UInt8.self, at: start + 1, .bigEndian))
        )
      case "dfLa":
        // The stream information follows the version and the head of its block.
        let numbers = try reader.number(UInt32.self, at: start + 18, .bigEndian)
        return M4ASoundFormat(sampleRate: numbers >> 12, channelCount: numbers >> 9 & 7 + 1)
      default: continue
      }
    }
    return nil
  }
}
