import Foundation
import SnippetBase

/// The dates in an XMP packet.
///
/// ISO 16684-1. Only the properties with the usual names of their name spaces are found, as
/// attributes or as elements; no XML is parsed, so no packet can make its reader work for long.
enum XMPDate {
  /// The most bytes of a packet to look at: 64 KiB.
  static let maximumByteCount = HeaderReader.maximumPieceByteCount

  private static let names: [(DateEvidence.Source, String)] = [
    (.xmpTaken, "exif:DateTimeOriginal"), (.xmpShown, "photoshop:DateCreated"),
    (.xmpDigitized, "xmp:CreateDate"), (.xmpDigitized, "exif:DateTimeDigitized"),
    (.xmpDigitized, "xap:CreateDate"),
  ]

  /// Reads the dates of a packet, in the zone of this machine where no zone is written.
  static func dates(in packet: [UInt8]) -> DateEvidence {
    var dates = DateEvidence()
    for (source, name) in names {
      guard let text = value(of: Array(name.utf8), in: packet),
        let written = WrittenDate(text), written.precision >= .day
      else { continue }
      dates.add(source, written.date())
    }
    return dates
  }

  /// Finds the dates of a packet that cannot be read or name no day, by their names.
  static func unreadNames(in packet: [UInt8]) -> [String] {
    names.map { $0.1 }.filter { name in
      guard let text = value(of: Array(name.utf8), in: packet), RecordingDate.isMeant(text) else {
        return false
      }
      return WrittenDate(text).map { $0.precision < .day } ?? true
    }
  }

  /// Finds the text of a property; `nil` if there is none.
  private static func value(of name: [UInt8], in packet: [UInt8]) -> String? {
    for rest in XMPText.rests(behind: name, in: packet) {
      let text: [UInt8]
      switch rest.first {
      case UInt8(ascii: "="):
        guard let quoted = XMPText.attribute(rest.dropFirst()) else { continue }
        text = quoted
      case UInt8(ascii: ">"):
        text = Array(rest.dropFirst().prefix { $0 != UInt8(ascii: "<") })
      default: continue
      }
      guard !text.isEmpty, text.count <= 64 else { continue }
      return String(decoding: text, as: UTF8.self)
    }
    return nil
  }
}

extension Range<Int64> {
  /// The beginning of a place of an XMP packet, as far as it is looked at.
  var ofPacket: Range<Int64> {
    lowerBound..<Swift.min(upperBound, lowerBound + Int64(XMPDate.maximumByteCount))
  }
}
