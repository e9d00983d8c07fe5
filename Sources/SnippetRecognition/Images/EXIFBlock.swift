import Foundation
import SnippetBase

/// The times at which a picture was taken, digitized and changed, as programs wrote them.
///
/// Exif 2.32, section 4.6.5.
enum EXIFDate {
  private static let directory: UInt16 = 0x8769
  // The tags of the moment, of the fraction of its second and of its zone.
  private static let taken: Tags = (0x9003, 0x9291, 0x9011)
  private static let digitized: Tags = (0x9004, 0x9292, 0x9012)
  private static let changed: Tags = (0x0132, 0x9290, 0x9010)
  // The directory of the position, with the day and the time of the satellites.
  private static let position: UInt16 = 0x8825
  private static let positionDay: UInt16 = 0x001D
  private static let positionTime: UInt16 = 0x0007
  // Cameras whose clock was never set write years of other times.
  private static let years = 1826...9999

  private typealias Tags = (moment: UInt16, fraction: UInt16, zone: UInt16)

  /// Reads the times from an EXIF block, in the zone of this machine where no zone is written.
  static func dates(exifAt offset: Int64, in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    let base = try reader.tiffHeaderOffset(inEXIFAt: offset)
    guard let first = try TIFFDirectory(at: base, in: &reader) else { return dates }
    let both = try directories(first, base, &reader)
    dates.add(.exifTaken, try date(taken, in: both, &reader))
    dates.add(.exifDigitized, try date(digitized, in: both, &reader))
    dates.add(.exifChanged, try date(changed, in: both, &reader))
    dates.add(.exifLocated, try reader.attempt { try located(first, base, &$0) } ?? nil)
    return dates
  }

  /// Finds the moments in an EXIF block that cannot be read, by their usual names.
  static func unreadNames(exifAt offset: Int64, in reader: inout HeaderReader) throws -> [String] {
    let base = try reader.tiffHeaderOffset(inEXIFAt: offset)
    guard let first = try TIFFDirectory(at: base, in: &reader) else { return [] }
    let both = try directories(first, base, &reader)
    let named: [(name: String, tags: Tags)] = [
      ("DateTimeOriginal", taken), ("CreateDate", digitized), ("ModifyDate", changed),
    ]
    var names: [String] = []
    for (name, tags) in named {
      guard let moment = try text(tags.moment, in: both, &reader), RecordingDate.isMeant(moment),
        try date(tags, in: both, &reader) == nil
      else { continue }
      names.append(name)
    }
    return names
  }

  /// Returns the directory of details, if there is one, and the first one.
  private static func directories(
    _ first: TIFFDirectory,
    _ base: Int64,
    _ reader: inout HeaderReader
  ) throws -> [TIFFDirectory] {
    let details = try reader.attempt { reader in
      try first.values[directory].flatMap {
        try TIFFDirectory(at: base, directoryAt: $0, in: &reader)
      }
    }
    return [details ?? nil, first].compactMap(\.self)
  }

  /// Reads the moment at which the position was found, in UTC; `nil` without a day or a time.
  private static func located(
    _ first: TIFFDirectory,
    _ base: Int64,
    _ reader: inout HeaderReader
  ) throws -> Date? {
    guard let place = first.values[position],
      let directory = try TIFFDirectory(at: base, directoryAt: place, in: &reader),
      let day = try text(positionDay, in: [directory], &reader),
      let time = try directory.fractions(positionTime, count: 3, in: &reader)
    else { return nil }
    let numbers = day.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }
    let seconds = time[0] * 3600 + time[1] * 60 + time[2]
    guard numbers.count == 3, years.contains(numbers[0]), (0...86_400).contains(seconds),
      var written = WrittenDate(numbers[0], numbers[1], numbers[2])
    else { return nil }
    written.zone = .gmt
    return written.date()?.addingTimeInterval(seconds)
  }

  private static func date(
    _ tags: Tags,
    in directories: [TIFFDirectory],
    _ reader: inout HeaderReader
  ) throws -> Date? {
    guard let moment = try text(tags.moment, in: directories, &reader) else { return nil }
    // Some pad with blanks instead of zeros.
    let padded = moment.replacing(": ", with: ":0")
    let zone = try text(tags.zone, in: directories, &reader) ?? ""
    let plain = Self.plain(padded)
    guard
      var written = WrittenDate(padded + zone) ?? WrittenDate(padded) ?? WrittenDate(plain + zone)
        ?? WrittenDate(plain),
      years.contains(written.year)
    else { return nil }
    if let digits = try text(tags.fraction, in: directories, &reader)?
      .prefix(while: { $0.isASCII && $0.isNumber }).prefix(9), let number = Double("0.\(digits)"),
      written.time?.fraction == 0
    {
      written.time?.fraction = number
    }
    return written.date()
  }

  /// Returns a moment with the usual marks between its numbers, and without other marks behind it;
  /// empty if it is none.
  private static func plain(_ text: String) -> String {
    let form =
      #/([0-9]{4})[^0-9]([0-9]{2})[^0-9]([0-9]{2})[^0-9]([0-9]{2})[^0-9]([0-9]{2})[^0-9]([0-9]{2})/#
    guard let match = text.prefixMatch(of: form),
      !text[match.range.upperBound...].contains(where: { $0.isLetter || $0.isNumber })
    else { return "" }
    let (_, year, month, day, hour, minute, second) = match.output
    return "\(year)-\(month)-\(day) \(hour):\(minute):\(second)"
  }

  private static func text(
    _ tag: UInt16,
    in directories: [TIFFDirectory],
    _ reader: inout HeaderReader
  ) throws -> String? {
    for directory in directories {
      guard let place = directory.places[tag], place.count <= 64,
        let bytes = try reader.attempt({ try $0.bytes(at: place.lowerBound, count: place.count) })
      else { continue }
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      let trimmed = text.trimmingCharacters(in: .whitespaces)
      if !trimmed.isEmpty { return trimmed }
    }
    return nil
  }
}

extension MediaHeader {
  /// Reads when the image or recording was made, from every place that says so.
  func dates(_ texts: PictureTexts, in reader: inout HeaderReader) throws -> DateEvidence {
    var dates = DateEvidence()
    let ofBlock = try readEXIF(orWritten: texts.writtenEXIF, in: &reader) { offset, reader in
      try EXIFDate.dates(exifAt: offset, in: &reader)
    }
    if let ofBlock { dates.add(ofBlock) }
    // Most packets repeat the block, which is shorter.
    if !dates.has(.exifTaken), let packet = texts.packet { dates.add(XMPDate.dates(in: packet)) }
    if !dates.has(.exifTaken), let records = texts.records {
      var found = DateEvidence()
      found.add(.xmpShown, records.date)
      found.add(.xmpDigitized, records.digitizedDate)
      dates.add(found)
    }
    if let found = try reader.attempt({ try ownDates(in: &$0) }) { dates.add(found) }
    return dates
  }

  /// Finds the dates in EXIF and XMP that cannot be read.
  func unreadDates(_ texts: PictureTexts, in reader: inout HeaderReader) throws -> [UnreadText] {
    let ofBlock = try readEXIF(orWritten: texts.writtenEXIF, in: &reader) { offset, reader in
      try EXIFDate.unreadNames(exifAt: offset, in: &reader)
    }
    let ofPacket = texts.packet.map(XMPDate.unreadNames(in:)) ?? []
    return ((ofBlock ?? []) + ofPacket).map { .unreadable(name: $0) }
  }

  /// Checks whether the EXIF block swaps width and height when the picture is shown.
  ///
  /// Returns `false` if there is no block, or it is out of reach.
  func isTurned(in reader: inout HeaderReader) throws -> Bool {
    try reader.attempt { reader in
      guard let offset = try exifOffset(in: &reader) else { return false }
      let base = try reader.tiffHeaderOffset(inEXIFAt: offset)
      return try TIFFDirectory(at: base, in: &reader)?.isTurned ?? false
    } ?? false
  }
}

extension TIFFDirectory {
  /// Reads the first directory of an EXIF block.
  init?(inEXIFAt offset: Int64, in reader: inout HeaderReader) throws {
    try self.init(at: try reader.tiffHeaderOffset(inEXIFAt: offset), in: &reader)
  }
}

extension HeaderReader {
  /// Returns the position of the TIFF header in an EXIF block, after the mark that some programs
  /// write before it.
  mutating func tiffHeaderOffset(inEXIFAt offset: Int64) throws -> Int64 {
    try offset + (spells("Exif\0\0", at: offset) ? 6 : 0)
  }
}
