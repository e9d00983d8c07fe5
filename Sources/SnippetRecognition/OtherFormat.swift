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
    ("a PNG in Apple's form for apps", 12, Array("CgBI".utf8)),
    ("a Photoshop picture", 0, Array("8BPS".utf8)), ("a GIMP picture", 0, Array("gimp xcf".utf8)),
    ("an OpenEXR picture", 0, [0x76, 0x2F, 0x31, 1]), ("a DDS picture", 0, Array("DDS ".utf8)),
    ("a Radiance picture", 0, Array("#?RADIANCE".utf8)), ("a QOI picture", 0, Array("qoif".utf8)),
    ("a FITS picture", 0, Array("SIMPLE  =".utf8)), ("an SGI picture", 0, [1, 0xDA]),
    ("a Sun raster picture", 0, [0x59, 0xA6, 0x6A, 0x95]), ("a DPX picture", 0, Array("SDPX".utf8)),
    ("a DPX picture", 0, Array("XPDS".utf8)), ("a JPEG XR picture", 0, [0x49, 0x49, 0xBC]),
    ("a farbfeld picture", 0, Array("farbfeld".utf8)), ("a FLIF picture", 0, Array("FLIF".utf8)),
    ("a BPG picture", 0, [0x42, 0x50, 0x47, 0xFB]),
    ("an MNG picture", 0, [0x8A, 0x4D, 0x4E, 0x47]),
    ("a DjVu document", 0, Array("AT&TFORM".utf8)), ("an icon of macOS", 0, Array("icns".utf8)),
    ("a Windows metafile", 0, [0xD7, 0xCD, 0xC6, 0x9A]),
    ("a Windows metafile", 40, Array(" EMF".utf8)),
    ("an EPS picture", 0, [0xC5, 0xD0, 0xD3, 0xC6]),
    ("an animated cursor of Windows", 8, Array("ACON".utf8)),
    ("an ILBM picture", 8, Array("ILBM".utf8)), ("an ILBM picture", 8, Array("PBM ".utf8)),
    ("a JPEG 2000 picture", 4, Array("jP  ".utf8)), ("a JPEG XL picture", 4, Array("JXL ".utf8)),
    ("a JPEG XL picture", 0, [0xFF, 0x0A]), ("an icon of Windows", 0, [0, 0, 1, 0]),
    ("a MIDI file", 0, Array("MThd".utf8)), ("an APE recording", 0, Array("MAC ".utf8)),
    ("a WavPack recording", 0, Array("wvpk".utf8)), ("a DSD recording", 0, Array("DSD ".utf8)),
    ("an AU recording", 0, Array(".snd".utf8)), ("a Musepack recording", 0, Array("MPCK".utf8)),
    ("a Musepack recording", 0, Array("MP+".utf8)), ("a TTA recording", 0, Array("TTA1".utf8)),
    ("a Shorten recording", 0, Array("ajkg".utf8)),
    ("a VOC recording", 0, Array("Creative Voice File".utf8)),
    ("a Wave64 recording", 0, [0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11]),
    ("a RIFX recording", 0, Array("RIFX".utf8)), ("a QCP recording", 8, Array("QLCM".utf8)),
    ("an 8SVX recording", 8, Array("8SVX".utf8)), ("a MIDI file", 8, Array("RMID".utf8)),
    ("an AC-3 recording", 0, [0x0B, 0x77]), ("a DTS recording", 0, [0x7F, 0xFE, 0x80, 1]),
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
    let marked = marks.first { mark in
      head.dropFirst(mark.offset).starts(with: mark.bytes)
    }
    return marked?.name ?? structured(head, reader.byteCount)
  }

  /// Returns the name of a format without a mark of its own, which the values in its head tell.
  private static func structured(_ head: [UInt8], _ byteCount: Int64) -> String? {
    if isNetpbm(head) { return "a Netpbm picture" }
    if isTarga(head, byteCount) { return "a Targa picture" }
    if isPCX(head) { return "a PCX picture" }
    if head.starts(with: [0, 0, 2, 0]), head.count > 5, head[4] > 0 {
      return "a cursor of Windows"
    }
    // A frame of the second layer of MPEG, with a rate.
    if head.count > 4, head[0] == 0xFF, head[1] & 0xF6 == 0xF4, (1...14).contains(head[2] >> 4) {
      return "an MP2 recording"
    }
    // Packets of 188 bytes.
    let starts = stride(from: 0, to: min(head.count, 1880), by: 188)
    let isStream = head.count > 376 && starts.allSatisfy { head[$0] == 0x47 }
    return isStream ? "an MPEG transport stream" : nil
  }

  /// Whether bytes begin as `P4` to `P7`, `PF` or `Pf` and a line with the width and the height.
  private static func isNetpbm(_ head: [UInt8]) -> Bool {
    guard head.count > 8, head[0] == UInt8(ascii: "P"), "4567Ff".utf8.contains(head[1]),
      [0x09, 0x0A, 0x0D, 0x20].contains(head[2])
    else { return false }
    let next = head[3]
    return (0x30...0x39).contains(next) || next == UInt8(ascii: "#")
      || head[3...].starts(with: "WIDTH".utf8)
  }

  /// Whether bytes begin as a Targa picture: with a kind, a depth and a size that fit each other.
  private static func isTarga(_ head: [UInt8], _ byteCount: Int64) -> Bool {
    guard head.count >= 18, head[1] <= 1, [1, 2, 3, 9, 10, 11].contains(head[2]),
      [8, 15, 16, 24, 32].contains(head[16]), head[17] & 0xC0 == 0
    else { return false }
    let number = { (place: Int) in Int64(head[place]) | Int64(head[place + 1]) << 8 }
    let (width, height) = (number(12), number(14))
    guard width > 0, height > 0, head[1] == 1 || head[3..<8].allSatisfy({ $0 == 0 }) else {
      return false
    }
    let pixels = width * height * Int64((head[16] + 7) / 8)
    // Compressed ones may be smaller.
    return head[2] > 8 || byteCount >= 18 + Int64(head[0]) + pixels
  }

  private static func isPCX(_ head: [UInt8]) -> Bool {
    head.count >= 128 && head[0] == 0x0A && [0, 2, 3, 4, 5].contains(head[1]) && head[2] <= 1
      && [1, 2, 4, 8].contains(head[3]) && head[64] == 0
  }
}
