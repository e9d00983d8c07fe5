package import SnippetRecognition
import Testing

/// A small handmade file of one format that may hold a title.
package struct TitledFile: CustomTestStringConvertible, Sendable {
  package let testDescription: String
  package let type: ContentType
  /// The file with the bytes of a title, or without a title.
  package let bytes: @Sendable (_ title: [UInt8]?) -> [UInt8]

  private init(
    _ name: String,
    _ type: ContentType,
    _ bytes: @escaping @Sendable (_ title: [UInt8]?) -> [UInt8]
  ) {
    testDescription = name
    self.type = type
    self.bytes = bytes
  }

  /// The files whose titles are in UTF-8, or are taken for it.
  package static let all = chunked + streams + tagged + boxed + images

  private static let chunked = [
    TitledFile("WAV, before the sound", .wav) { wav(before: $0.map(info) ?? []) },
    TitledFile("WAV, behind the sound", .wav) { wav(after: $0.map(info) ?? []) },
    TitledFile("RF64, behind the sound", .wav) { rf64(after: $0.map(info) ?? []) },
    TitledFile("AIFF, before the sound", .aiff) { aiff(before: $0.map(name) ?? []) },
    TitledFile("AIFF, behind the sound", .aiff) { aiff(after: $0.map(name) ?? []) },
    TitledFile("CAF, before the sound", .caf) { caf(before: $0.map(strings) ?? []) },
    TitledFile("CAF, behind the sound", .caf) { caf(after: $0.map(strings) ?? []) },
  ]

  private static let streams = [
    TitledFile("FLAC", .flac) { flac(comments($0, pictureByteCount: 0)) },
    TitledFile("FLAC behind an ID3 tag", .flac) { title in
      id3(version: 4, []) + flac(comments(title, pictureByteCount: 3))
    },
    TitledFile("Vorbis", .ogg) { title in
      let head = joined(ascii("\u{1}vorbis"), zeros(4), [1], little(UInt32(8000)), zeros(14))
      return ogg(head, joined(ascii("\u{3}vorbis"), comments(title, pictureByteCount: 0), [1]))
    },
    TitledFile("Opus behind a picture", .ogg) { opus(comments($0, pictureByteCount: 1600)) },
    TitledFile("FLAC in Ogg", .ogg) { title in
      let mark = joined(ascii("\u{7F}FLAC"), [1, 0, 0, 1], ascii("fLaC"), [0, 0, 0, 34])
      let comments = comments(title, pictureByteCount: 0)
      let block = big(UInt32(0x84) << 24 | UInt32(comments.count)) + comments
      return ogg(mark + streamInfo, block)
    },
    TitledFile("Speex", .ogg) { title in
      let numbers = joined(little(UInt32(8000)), zeros(8), little(UInt32(1)), zeros(28))
      let head = joined(ascii("Speex   "), zeros(28), numbers)
      return ogg(head, comments(title, pictureByteCount: 0))
    },
  ]

  private static let tagged = [
    tagged(version: 2), tagged(version: 3), tagged(version: 4),
    TitledFile("MP3 with a tag at the end", .mp3) { title in
      let field = Array(((title ?? []) + zeros(30)).prefix(30))
      return joined(mp3, ascii("TAG"), field, zeros(95))
    },
    TitledFile("MP3 with the second of two tags", .mp3) { title in
      id3(version: 3, []) + id3(version: 4, title.map { [3] + $0 } ?? []) + mp3
    },
  ]

  private static let boxed = [
    TitledFile("M4A", .m4a) { m4a(box("meta", zeros(4), items($0))) },
    TitledFile("M4A as QuickTime writes it", .m4a) { m4a(box("meta", items($0))) },
  ]

  private static let images = [
    TitledFile("PNG with a text", .png) { title in
      png(title.map { pngChunk("tEXt", ascii("Title\0") + $0) } ?? [])
    },
    TitledFile("PNG with an international text", .png) { title in
      png(title.map { pngChunk("iTXt", ascii("Title\0\0\0de\0Titel\0") + $0) } ?? [])
    },
  ]
}

extension TitledFile {
  private static func tagged(version: Int) -> TitledFile {
    TitledFile("MP3 with a tag of version 2.\(version)", .mp3) { title in
      id3(version: version, title.map { joined([0], $0, [0]) } ?? []) + mp3
    }
  }
}

// MARK: - Building

extension TitledFile {
  /// Two frames of sound.
  package static let mp3: [UInt8] = {
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0] + zeros(413)
    return frame + frame
  }()

  private static func joined(_ parts: [UInt8]...) -> [UInt8] {
    parts.flatMap { $0 }
  }

  private static let streamInfo = joined(
    zeros(10),
    big(UInt64(8000) << 44 | UInt64(15) << 36 | 4000),
    zeros(16)
  )

  package static func info(_ title: [UInt8]) -> [UInt8] {
    riffChunk(
      "LIST",
      ascii("INFO") + riffChunk("IART", ascii("Somebody\0")) + riffChunk("INAM", title + [0])
    )
  }

  package static func wav(before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
    let data = riffChunk("data", zeros(101))
    return joined(ascii("RIFF"), little(UInt32.max), ascii("WAVE"), format, before, data, after)
  }

  private static func rf64(after: [UInt8]) -> [UInt8] {
    let sizes = riffChunk("ds64", zeros(8) + little(UInt64(100)) + zeros(12))
    let head = joined(ascii("RF64"), little(UInt32.max), ascii("WAVE"), sizes, format)
    return joined(head, ascii("data"), little(UInt32.max), zeros(100), after)
  }

  private static let format = riffChunk(
    "fmt ",
    joined(
      little(UInt16(1)),
      little(UInt16(1)),
      little(UInt32(8000)),
      little(UInt32(8000)),
      little(UInt16(1)),
      little(UInt16(8))
    )
  )

  private static func name(_ title: [UInt8]) -> [UInt8] {
    ascii("NAME") + big(UInt32(title.count)) + title + zeros(title.count % 2)
  }

  package static func aiff(before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
    let rate = big(UInt16(16_383 + 15)) + big(UInt64(44_100) << 48)
    let common = joined(big(UInt16(1)), big(UInt32(100)), big(UInt16(8)), rate)
    let head = joined(ascii("FORM"), zeros(4), ascii("AIFF"), before)
    let sound = joined(ascii("SSND"), big(UInt32(108)), zeros(108))
    return joined(head, ascii("COMM"), big(UInt32(18)), common, sound, after)
  }

  private static func strings(_ title: [UInt8]) -> [UInt8] {
    let content = joined(big(UInt32(2)), ascii("artist\0\0title\0"), title, [0])
    return joined(ascii("info"), big(Int64(content.count)), content)
  }

  package static func caf(before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
    let numbers = joined(big(UInt32(1)), big(UInt32(1)), big(UInt32(1)), big(UInt32(8)))
    let format = joined(big((8000.0).bitPattern), ascii("lpcm"), zeros(4), numbers)
    let head = joined(ascii("caff"), [0, 1, 0, 0], ascii("desc"), big(Int64(32)), format)
    return joined(head, before, ascii("data"), big(Int64(104)), zeros(104), after)
  }

  package static func comments(_ title: [UInt8]?, pictureByteCount: Int) -> [UInt8] {
    let artist = ascii("ARTIST=Somebody")
    let picture = ascii("METADATA_BLOCK_PICTURE=") + zeros(pictureByteCount)
    let entries = [artist, picture] + (title.map { [ascii("Title=") + $0] } ?? [])
    let listed = entries.flatMap { entry in little(UInt32(entry.count)) + entry }
    return joined(little(UInt32(3)), ascii("hi!"), little(UInt32(entries.count)), listed)
  }

  package static func flac(_ comments: [UInt8]) -> [UInt8] {
    let picture = joined([6, 0, 0, 100], zeros(100))
    let head = big(UInt32(0x84) << 24 | UInt32(comments.count))
    return joined(ascii("fLaC"), [0, 0, 0, 34], streamInfo, picture, head, comments, zeros(64))
  }

  package static func opus(_ comments: [UInt8], pageByteCount: Int = 765) -> [UInt8] {
    let head = joined(ascii("OpusHead"), [1, 1, 0, 0], little(UInt32(8000)), zeros(3))
    return ogg(head, ascii("OpusTags") + comments, pageByteCount: pageByteCount)
  }

  /// Pages of at most 1,000 bytes or so, with the second packet on as many as it needs, among pages
  /// of another stream.
  private static func ogg(
    _ head: [UInt8],
    _ second: [UInt8],
    pageByteCount: Int = 765
  ) -> [UInt8] {
    var pages = page(serial: 9, flags: 2, [ascii("fishead\0") + zeros(56)])
    pages += page(serial: 1, flags: 2, [head])
    var rest = second[...]
    while rest.count >= pageByteCount {
      pages += page(serial: 1, isOpen: true, [Array(rest.prefix(pageByteCount))])
      pages += page(serial: 9, [zeros(20)])
      rest = rest.dropFirst(pageByteCount)
    }
    pages += page(serial: 1, [Array(rest), zeros(30)])
    return pages + page(serial: 1, flags: 4, position: 8000, [zeros(100)])
  }

  private static func page(
    serial: UInt32,
    flags: UInt8 = 0,
    position: Int64 = 0,
    isOpen: Bool = false,
    _ packets: [[UInt8]]
  ) -> [UInt8] {
    let segments = packets.flatMap { packet in
      [UInt8](repeating: 255, count: packet.count / 255)
        + (isOpen ? [] : [UInt8(packet.count % 255)])
    }
    let head = joined(ascii("OggS"), [0, flags], little(position), little(serial), zeros(8))
    return joined(head, [UInt8(segments.count)], segments, packets.flatMap { $0 })
  }

  package static func syncsafe(_ count: Int) -> [UInt8] {
    (0..<4).map { UInt8(count >> (21 - $0 * 7) & 0x7F) }
  }

  /// A frame with the title after another frame; without a title, if its text is empty.
  package static func id3(
    version: Int,
    flags: UInt8 = 0,
    frameFlags: UInt8 = 0,
    extended: [UInt8] = [],
    _ text: [UInt8]
  ) -> [UInt8] {
    func frame(_ short: String, _ long: String, _ flags: UInt8, _ text: [UInt8]) -> [UInt8] {
      if text.isEmpty { return [] }
      let size = version == 4 ? syncsafe(text.count) : big(UInt32(text.count))
      return version == 2
        ? joined(ascii(short), Array(size[1...]), text)
        : joined(ascii(long), size, [0, flags], text)
    }
    let genre = frame("TT1", "TCON", 0, ascii("\0Speech"))
    let content = joined(extended, genre, frame("TT2", "TIT2", frameFlags, text), zeros(30))
    return joined(ascii("ID3"), [UInt8(version), 0, flags], syncsafe(content.count), content)
  }

  package static func items(_ title: [UInt8]?, encoding: UInt32 = 1) -> [UInt8] {
    func item(_ name: [UInt8], _ encoding: UInt32, _ text: [UInt8]) -> [UInt8] {
      let data = box("data", big(encoding), zeros(4), text)
      return joined(big(UInt32(8 + data.count)), name, data)
    }
    let artist = item([0xA9] + ascii("ART"), 1, ascii("Somebody"))
    let name = title.map { item([0xA9] + ascii("nam"), encoding, $0) } ?? []
    return box("hdlr", zeros(8), ascii("mdir"), zeros(13)) + box("ilst", artist, name)
  }

  package static func m4a(_ meta: [UInt8], beside other: [UInt8] = []) -> [UInt8] {
    let header = box("mvhd", zeros(12), big(UInt32(1000)), big(UInt32(1000)), zeros(80))
    let brand = box("ftyp", ascii("M4A "), zeros(4), ascii("isom"))
    return joined(
      brand,
      box("mdat", zeros(100)),
      box("moov", header, soundTrack, box("udta", meta), other)
    )
  }

  /// A track of an MPEG-4 file with one channel of 8,000 samples a second.
  package static let soundTrack: [UInt8] = {
    let numbers = joined(big(UInt16(1)), big(UInt16(16)), zeros(4), big(UInt32(8000) << 16))
    let entry = box("mp4a", zeros(6), big(UInt16(1)), zeros(8), numbers)
    let table = box("stbl", box("stsd", zeros(4), big(UInt32(1)), entry))
    let handler = box("hdlr", zeros(8), ascii("soun"), zeros(13))
    return box("trak", box("tkhd", zeros(84)), box("mdia", handler, box("minf", table)))
  }()

  package static func pngChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    joined(big(UInt32(content.count)), ascii(name), content, zeros(4))
  }

  package static func png(_ text: [UInt8]) -> [UInt8] {
    joined(
      [0x89],
      ascii("PNG\r\n\u{1A}\n"),
      pngChunk("IHDR", joined(big(UInt32(4)), big(UInt32(3)), [8, 0, 0, 0, 0])),
      pngChunk("tEXt", ascii("Software\0Something")),
      text,
      pngChunk("IDAT", zeros(50)),
      pngChunk("IEND", [])
    )
  }
}
