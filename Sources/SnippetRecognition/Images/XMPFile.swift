package import Foundation

/// The properties of a picture in a file of XMP beside it, as photo programs write it.
package struct XMPFile: Sendable, Equatable {
  /// The reasons for reading nothing in a file with an XMP packet.
  package enum Flaw: Error {
    case tooLong, cutShort, notUTF8, notUTF16
  }

  /// The most bytes of such a file: 1 MiB.
  package static let maximumByteCount = 1 << 20
  /// The most bytes of a note in UTF-8.
  package static let maximumNoteByteCount = EmbeddedNote.maximumByteCount
  /// The most characters of a title.
  package static let maximumTitleLength = EmbeddedTitle.maximumLength

  /// The title, or the beginning of a long one; `nil` if it says nothing.
  package let title: String?
  /// Whether the title is longer.
  package let isTitleCut: Bool
  /// The description, or the beginning of a long one; `nil` if it says nothing.
  package let note: String?
  /// Whether the description is longer.
  package let isNoteCut: Bool
  /// The keywords, or if there are none, those of a hierarchy as paths.
  package let keywords: [String]
  /// The moment that the picture shows; `nil` if it has none.
  package let takenAt: Date?
  /// The moment at which its bytes were made; `nil` if it has none.
  package let digitizedAt: Date?
  /// The titles and descriptions in other languages that say something else.
  package let furtherTexts: [UnreadText]
  /// The names of dates that cannot be read or name no day.
  package let unreadDates: [String]
  /// The names of properties that say something for which a snippet has no place.
  package let unreadNames: [String]

  /// Properties that a person gives a picture: places, people, and what sorts it.
  private static let namesWithoutPlace = [
    "Iptc4xmpCore:Location", "Iptc4xmpExt:PersonInImage", "exif:GPSLatitude", "mwg-rs:Name",
    "photoshop:City", "xmp:Label", "xmp:Rating",
  ]
  /// The beginning of a file in which its packet begins.
  private static let headByteCount = 4096
  private static let marks = ["<?xpacket", "<x:xmpmeta", "<x:xapmeta", "<rdf:RDF"]
  /// The character in place of damaged ones.
  private static let damage = Array("\u{FFFD}".utf8)
  private static let end = Array("</rdf:RDF".utf8)

  /// Reads a file; `nil` if there is no XMP packet in it.
  package init?(_ bytes: [UInt8]) throws(Flaw) {
    let file = XMPSpelling.usual(XMPText.utf8(bytes))
    let head = 0..<min(file.count, Self.headByteCount)
    let isPacket = Self.marks.contains { file.end(of: Array($0.utf8), in: head) != nil }
    guard isPacket else { return nil }
    guard bytes.count <= Self.maximumByteCount else { throw Flaw.tooLong }
    guard file.end(of: Self.end, in: 0..<file.count) != nil else { throw Flaw.cutShort }
    guard String(validating: file, as: UTF8.self) != nil else { throw Flaw.notUTF8 }
    let isWide = XMPText.wideEncoding(of: bytes) != nil
    guard !isWide || file.end(of: Self.damage, in: 0..<file.count) == nil else {
      throw Flaw.notUTF16
    }
    let titles = XMPText.titles(in: file)
    title = titles.first
    isTitleCut = titles.first.map(EmbeddedTitle.isCut) ?? false
    let notes = XMPText.descriptions(in: file)
    let note = notes.first
    furtherTexts = EmbeddedNote.further(
      titles.compactMap { NamedNote("dc:title", $0) }
        + notes.compactMap { NamedNote("dc:description", $0) },
      besides: note,
      titles.first
    )
    self.note = note.map(EmbeddedNote.beginning)
    isNoteCut = note.map(EmbeddedNote.isLong) ?? false
    let keywords = XMPText.keywords(in: file)
    self.keywords = keywords.isEmpty ? XMPText.keywordPaths(in: file) : keywords
    let dates = XMPDate.dates(in: file)
    takenAt = dates[.xmpTaken] ?? dates[.xmpShown]
    digitizedAt = dates[.xmpDigitized]
    unreadDates = XMPDate.unreadNames(in: file)
    unreadNames = Self.namesWithoutPlace.filter { XMPText.says($0, in: file) }
  }
}
