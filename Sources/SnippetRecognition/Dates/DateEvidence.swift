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

  /// The date from the best source; `nil` if there is no evidence.
  package var best: Date? {
    Source.allCases.lazy.compactMap { dates[$0] }.first
  }
}
