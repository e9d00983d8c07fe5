/// Formats that are known by their first bytes, and that a store does not take.
enum OtherFormat {
  private static let marks: [(name: String, offset: Int, bytes: [UInt8])] = [
    ("a PDF document", 0, Array("%PDF-".utf8)),
    ("a WMA or WMV file", 0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
    ("a ZIP archive, or a document in one", 0, [0x50, 0x4B, 3, 4]),
    ("an empty ZIP archive", 0, [0x50, 0x4B, 5, 6]),
    ("a RAR archive", 0, Array("Rar!".utf8)), ("a 7z archive", 0, [0x37, 0x7A, 0xBC, 0xAF]),
    ("compressed by gzip", 0, [0x1F, 0x8B]), ("compressed by bzip2", 0, Array("BZh".utf8)),
    ("compressed by xz", 0, [0xFD, 0x37, 0x7A, 0x58, 0x5A]),
    ("compressed by Zstandard", 0, [0x28, 0xB5, 0x2F, 0xFD]),
    ("a tar archive", 257, Array("ustar".utf8)),
    ("a document of older Office programs", 0, [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]),
    ("an SQLite database", 0, Array("SQLite format 3\0".utf8)),
    ("a program", 0, [0x7F, 0x45, 0x4C, 0x46]), ("a program", 0, [0xCF, 0xFA, 0xED, 0xFE]),
    ("a program", 0, [0x4D, 0x5A, 0x90, 0]), ("a property list", 0, Array("bplist0".utf8)),
    ("a Photoshop picture", 0, Array("8BPS".utf8)),
    ("a JPEG 2000 picture", 4, Array("jP  ".utf8)), ("a JPEG XL picture", 4, Array("JXL ".utf8)),
    ("a JPEG XL picture", 0, [0xFF, 0x0A]), ("an icon of Windows", 0, [0, 0, 1, 0]),
    ("a MIDI file", 0, Array("MThd".utf8)), ("an APE recording", 0, Array("MAC ".utf8)),
    ("a WavPack recording", 0, Array("wvpk".utf8)), ("a DSD recording", 0, Array("DSD ".utf8)),
    ("a RealMedia file", 0, Array(".RMF".utf8)), ("a Flash video", 0, Array("FLV".utf8)),
    ("an MPEG video", 0, [0, 0, 1, 0xBA]), ("an MPEG video", 0, [0, 0, 1, 0xB3]),
    ("a font", 0, Array("wOFF".utf8)), ("a font", 0, Array("wOF2".utf8)),
    ("a font", 0, Array("OTTO".utf8)),
  ]

  /// Returns the name of the format of bytes that are neither a known image nor a known recording;
  /// `nil` if it is not among these.
  static func name(in reader: inout HeaderReader) throws -> String? {
    if let camera = try reader.attempt({ try RawPicture.name(in: &$0) }) ?? nil { return camera }
    let head = reader.head
    return marks.first { mark in
      head.dropFirst(mark.offset).starts(with: mark.bytes)
    }?.name
  }
}
