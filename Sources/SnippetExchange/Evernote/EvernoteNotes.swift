import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage
import SystemPackage

/// The notes in an export of Evernote, one after the other.
///
/// Where the export is damaged, the notes from there on are found by their marks, and each is read
/// by itself. So a damaged one costs at most itself. One in UTF-16 is looked through in UTF-8.
struct EvernoteNotes {
  private let file: OpenFile
  /// The whole export; `nil` from its damage on.
  private var parts: XMLParts?
  private var readCount = 0
  private var marked: (bytes: any ByteSource, places: EvernotePlaces)?

  /// The first damage; `nil` if there is none so far.
  private(set) var damage: XMLParts.Damage?
  /// Whether notes were lost, because nothing can be read of one, or because the file ends early.
  private(set) var hasLost = false

  /// The moment at which the notes were exported, as it is written; `nil` until the first was read.
  private(set) var exported: String?

  /// Begins to read an export; `nil` without the library.
  init?(_ file: OpenFile) {
    guard let parts = XMLParts(file) else { return nil }
    (self.file, self.parts) = (file, parts)
  }

  /// Whether a file begins as an export of Evernote does.
  static func begins(_ head: [UInt8]) -> Bool {
    let text = encoding(of: head).decodePrefix(head.prefix(512))
      .drop { $0.isWhitespace || $0 == "\u{FEFF}" }
    // Elsewhere these are words of a text about such files, or those of a member of an archive.
    let isXML = ["<?xml", "<!DOCTYPE", "<en-export"].contains { text.hasPrefix($0) }
    return isXML && (text.contains("<en-export") || text.contains("<!DOCTYPE en-export"))
  }

  private static func encoding(of head: some Collection<UInt8>) -> TextEncoding {
    // A mark, or the first letter of a document in XML.
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0x3C, 0]) {
      return .utf16LittleEndian
    }
    if head.starts(with: [0xFE, 0xFF]) || head.starts(with: [0, 0x3C]) {
      return .utf16BigEndian
    }
    return .utf8
  }

  /// Reads the next note; `nil` after the last.
  ///
  /// - Throws: A `FileError`.
  mutating func next() throws -> EvernoteNote? {
    if let parts {
      do throws(XMLParts.Damage) {
        guard let note = try Self.next(in: parts, &exported) else { return nil }
        readCount += 1
        return note
      } catch {
        damage = error
      }
      self.parts = nil
      let bytes = try bytesInUTF8()
      marked = (bytes, try EvernotePlaces(in: bytes, after: readCount))
    }
    return try nextByMarks()
  }

  private static func next(
    in parts: XMLParts,
    _ exported: inout String?
  ) throws(XMLParts.Damage) -> EvernoteNote? {
    while let part = try parts.next() {
      if case .start("en-export", _) = part { exported = parts.attribute("export-date") }
      if case .start("note", let isEmpty) = part {
        return isEmpty ? EvernoteNote() : try EvernoteNote(parts)
      }
    }
    return nil
  }

  private mutating func nextByMarks() throws -> EvernoteNote? {
    while let place = try marked?.places.next() {
      let bytes = Data(try marked?.bytes.bytes(at: place.lowerBound, count: place.count) ?? [])
      // The marks of the export may follow the last note.
      let end = bytes.range(of: Data("</note>".utf8), options: .backwards)?.upperBound
      if end == nil { hasLost = true }
      let xml = bytes[..<(end ?? bytes.endIndex)]
      if let parts = XMLParts(xml), let note = try? Self.next(in: parts, &exported) { return note }
      let note = EvernoteNote(marksIn: xml)
      if !note.isEmpty { return note }
      hasLost = true
    }
    return nil
  }
}

extension EvernoteNotes {
  /// The bytes of the export; those of one in UTF-16 in a temporary file, in UTF-8.
  private func bytesInUTF8() throws -> any ByteSource {
    let whole = try FileBytes(file)
    let encoding = Self.encoding(of: try whole.bytes(at: 0, count: 4))
    guard encoding != .utf8 else { return whole }
    let spool = try SpooledBytes()
    var decoder = TextDecoder(encoding)
    try whole.forEachPiece { piece in
      let text = decoder.decode(piece.bindMemory(to: UInt8.self), isLast: false)
      try spool.append(Data(text.utf8))
    }
    try spool.append(Data(decoder.finish().utf8))
    return spool
  }
}

/// The places of the notes in a damaged export, told by the mark with which each begins.
private struct EvernotePlaces {
  private static let mark = Array("<note".utf8)
  private static let windowByteCount = 1 << 20
  /// A longer note is no note.
  private static let maximumByteCount: Int64 = 512 << 20

  private let source: any ByteSource
  private var offset: Int64 = 0
  /// The bytes that were read last: a damaged export may have a mark every six bytes.
  private var window: [UInt8] = []
  private var windowOffset: Int64 = 0
  /// The start of the next note; `nil` after the last.
  private var start: Int64?

  /// Finds the first note after a number of others.
  init(in source: any ByteSource, after count: Int) throws {
    self.source = source
    start = try nextStart()
    for _ in 0..<count { start = try nextStart() }
  }

  /// Returns the place of the next note, up to the one after it; `nil` after the last.
  mutating func next() throws -> Range<Int64>? {
    while let start {
      let following = try nextStart()
      self.start = following
      let end = following ?? source.byteCount
      if end - start <= Self.maximumByteCount { return start..<end }
    }
    return nil
  }

  private mutating func nextStart() throws -> Int64? {
    while offset < source.byteCount {
      var place = Int(offset - windowOffset)
      while place < window.count, let found = window[place...].firstIndex(of: Self.mark[0]),
        found + Self.mark.count < window.count
      {
        let end = found + Self.mark.count
        place = found + 1
        guard window[found..<end].elementsEqual(Self.mark), [0x3E, 0x20].contains(window[end])
        else { continue }
        offset = windowOffset + Int64(place)
        return windowOffset + Int64(found)
      }
      // The mark may begin in this window and end in the next.
      offset = max(offset, windowOffset + Int64(window.count - Self.mark.count))
      windowOffset = offset
      window = try source.bytes(at: offset, count: Self.windowByteCount)
      guard window.count > Self.mark.count else { break }
    }
    offset = source.byteCount
    return nil
  }
}
