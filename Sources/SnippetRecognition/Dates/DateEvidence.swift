package import Foundation
import SnippetBase

/// All that is known of the moment at which a snippet was made.
///
/// This is the one place that decides which evidence counts.
package struct DateEvidence: Sendable, Hashable {
  /// The sources of a date, from the best to the least.
  package enum Source: Int, Sendable, CaseIterable {
    /// The program that saves the snippet, or the front matter of a note.
    case draft
    /// `DateTimeOriginal` in EXIF.
    case exifTaken
    /// `exif:DateTimeOriginal` in XMP.
    case xmpTaken
    /// `photoshop:DateCreated` in XMP or the date in IPTC, which date what a scan shows.
    case xmpShown
    /// The moment that the library of a photo service shows, in a file beside the picture.
    case libraryTaken
    /// `CreateDate` in EXIF, the moment at which the bytes were made.
    case exifDigitized
    /// `xmp:CreateDate` in XMP.
    case xmpDigitized
    /// `Creation Time` in a PNG.
    case pngText
    /// The clock of the recorder: the head of an M4A or Matroska file, `bext` in a WAVE file.
    case recorder
    /// A date among the tags of a recording: ID3, Vorbis comments and the like.
    case tag
    /// `ModifyDate` in EXIF, the moment of the last change.
    case exifChanged
    /// `GPSDateStamp` and `GPSTimeStamp` in EXIF, the moment at which the position was found.
    case exifLocated
    /// `tIME` in a PNG, likewise.
    case pngChanged
    /// The name of the file, as ``FileNameDate`` reads it.
    case fileName
    /// The moment at which the file got into a library or a note.
    case libraryAdded
    /// The date of the file.
    case file
  }

  private var dates: [Source: Date] = [:]

  package init() {}

  /// Adds a date from a source; `nil` adds nothing.
  package mutating func add(_ source: Source, _ date: Date?) {
    if let date { dates[source] = date }
  }

  /// Adds the dates of sources that have none here.
  package mutating func add(_ others: DateEvidence) {
    dates.merge(others.dates) { own, _ in own }
  }

  /// Adds what the name and the date of a file tell.
  ///
  /// - Parameters:
  ///   - name: The name of the file, with its extension.
  ///   - isText: Whether it is a text, in whose name only a date at the start counts.
  ///   - modifiedAt: The date of the file; `nil` if it has none.
  ///   - now: The present, which no name is after.
  package mutating func add(
    fileNamed name: String,
    isText: Bool,
    modifiedAt: Date?,
    now: Date
  ) {
    if let named = FileNameDate(name.withoutFileExtension, isText: isText, now: now) {
      add(.fileName, named.date(refinedBy: modifiedAt))
    }
    add(.file, modifiedAt)
  }

  /// The date from a source; `nil` if it tells none.
  subscript(source: Source) -> Date? { dates[source] }

  /// Whether there is a date from a source or a better one that makes sense.
  package func has(_ source: Source) -> Bool {
    let now = Date()
    return Source.allCases.prefix(source.rawValue + 1).contains { source in
      dates[source].map { source == .draft || Self.isSensible($0, now) } ?? false
    }
  }

  /// The most by which a library and a camera differ without a correction: all zones of the world.
  private static let greatestZoneDifference: TimeInterval = 26 * 3600

  /// The date from the best source; `nil` if there is no evidence.
  ///
  /// A date that makes no sense counts only if no other one does. A library repeats the date inside a
  /// picture, without its zone. If it is far from it, a person has corrected it there.
  package var best: Date? {
    if let draft = dates[.draft] { return draft }
    let now = Date()
    let found = Source.allCases.compactMap { dates[$0] }
    guard let best = found.first(where: { Self.isSensible($0, now) }) else { return found.first }
    if let corrected = dates[.libraryTaken], Self.isSensible(corrected, now),
      abs(corrected.timeIntervalSince(best)) > Self.greatestZoneDifference
    {
      return corrected
    }
    return best
  }

  // 1970 and 1980, where clocks begin that no one has set.
  private static let firstSeconds: Set<TimeInterval> = [0, 315_532_800]

  /// Whether a date is not after tomorrow and not the first second of a clock, in UTC or here.
  private static func isSensible(_ date: Date, _ now: Date) -> Bool {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    let offset = TimeInterval(TimeZone.current.secondsFromGMT(for: date))
    return date <= now.addingTimeInterval(86_400) && !firstSeconds.contains(seconds)
      && !firstSeconds.contains(seconds + offset)
  }
}
