package import Foundation

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
    /// `photoshop:DateCreated` in XMP, which dates what a scan shows.
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

  /// Whether there is a date from a source or a better one.
  package func has(_ source: Source) -> Bool {
    Source.allCases.prefix(source.rawValue + 1).contains { dates[$0] != nil }
  }

  /// The most by which a library and a camera differ without a correction: all zones of the world.
  private static let greatestZoneDifference: TimeInterval = 26 * 3600

  /// The date from the best source; `nil` if there is no evidence.
  ///
  /// A library repeats the date inside a picture, without its zone. If it is far from it, a person
  /// has corrected it there.
  package var best: Date? {
    let best = Source.allCases.lazy.filter { $0 != .draft }.compactMap { dates[$0] }.first
    if let corrected = dates[.libraryTaken], let found = best,
      abs(corrected.timeIntervalSince(found)) > Self.greatestZoneDifference
    {
      return dates[.draft] ?? corrected
    }
    return dates[.draft] ?? best
  }
}
