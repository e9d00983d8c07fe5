import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct ContentRecognizerTests {
  @Test(arguments: RealFile.all)
  func `a file of another program is told with its facts`(file: RealFile) throws {
    let content = try recognize(file.bytes)

    #expect(content?.type == file.type)
    #expect(content?.facts == file.facts)
    #expect(content?.encoding == nil)
  }

  private static let junk: [[UInt8]] = [
    ascii("ID3") + [4, 0, 0, 0, 0, 0, 20] + zeros(20), zeros(10), [0x0D, 0x0A], zeros(4),
    [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF, 0x0D, 0x0A], [0x20, 9],
    [UInt8](repeating: 0xFF, count: 5),
    ascii("HTTP/1.1 200 OK\r\nServer: nginx\r\nContent-Type: image/jpeg\r\n\r\n"),
  ]

  @Test(arguments: junk)
  func `a picture or recording behind a foreign tag or blanks is taken and marked`(
    junk: [UInt8]
  ) throws {
    for (type, bytes) in [
      (.ogg, RealFiles.vorbis), (.m4a, RealFiles.m4a), (.wav, RealFiles.wav),
      (.jpeg, RealFiles.jpeg),
    ] as [(ContentType, [UInt8])] {
      let content = try recognize(junk + bytes)
      #expect(content?.type == type)
      #expect(content?.isIrregular == true)
      #expect(content?.facts == (try recognize(bytes)?.facts))
    }
    #expect(try recognize(junk + RealFiles.videoMP4) == nil)
  }

  @Test(arguments: junk)
  func `a decoder is told where a picture or recording begins`(junk: [UInt8]) throws {
    for bytes in [RealFiles.m4a, RealFiles.wav, RealFiles.jpeg, RealFiles.png] {
      let start = try ContentRecognizer.mediaStart(in: MemoryBytes(junk + bytes))
      #expect(start == Int64(junk.count))
      #expect(try ContentRecognizer.mediaStart(in: MemoryBytes(bytes)) == 0)
    }
    #expect(try ContentRecognizer.mediaStart(in: MemoryBytes(junk)) == 0)
    #expect(try ContentRecognizer.mediaStart(in: MemoryBytes([])) == 0)
  }

  @Test(arguments: Stranger.all)
  func `what a store does not take is told as nothing`(stranger: Stranger) throws {
    #expect(try recognize(stranger.bytes) == nil)
  }

  @Test(arguments: LookAlike.all)
  func `a text that begins like a media file is a text`(text: LookAlike) throws {
    #expect(try recognize(ascii(text.text))?.type == .plainText)
  }

  @Test(arguments: RealFile.all)
  func `of a media file no more than its headers is read`(file: RealFile) throws {
    // As if an enormous file went on behind what was given.
    let source = CountingSource(file.bytes, paddedTo: 1 << 40)

    _ = try ContentRecognizer.recognize(source)

    #expect(source.readByteCount <= HeaderReader.maximumByteCount)
  }

  @Test(
    arguments: [
      ([], .utf8), ([0xEF, 0xBB, 0xBF], .utf8), ([0xFF, 0xFE], .utf16LittleEndian),
      ([0xFE, 0xFF], .utf16BigEndian), ([0xEF, 0xBB, 0xBF, 0x41], nil), ([0xEF, 0xBB], nil),
      ([0x41], nil),
    ] as [([UInt8], TextEncoding?)]
  )
  func `a text without characters may have a mark`(bytes: [UInt8], encoding: TextEncoding?) throws {
    #expect(try ContentRecognizer.emptyEncoding(of: MemoryBytes(bytes)) == encoding)
  }

  @Test func `a source that fails is no unknown content`() {
    #expect(throws: FailingSource.Failure.self) {
      try ContentRecognizer.recognize(FailingSource())
    }
  }
}

/// A file of another program, and what it is.
struct RealFile: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let bytes: [UInt8]
  let type: ContentType
  let facts: MediaFacts

  private init(_ name: String, _ bytes: [UInt8], _ type: ContentType, _ facts: MediaFacts) {
    testDescription = name
    self.bytes = bytes
    self.type = type
    self.facts = facts
  }

  private static func size(_ width: Int, _ height: Int) -> MediaFacts {
    MediaFacts(pixelWidth: width, pixelHeight: height)
  }

  private static func time(_ duration: Duration, sampleRate: Int = 8000) -> MediaFacts {
    MediaFacts(duration: duration, sampleRate: sampleRate, channelCount: 1)
  }

  static let all = [
    RealFile("PNG", RealFiles.png, .png, size(2, 3)),
    RealFile("JPEG", RealFiles.jpeg, .jpeg, size(16, 24)),
    RealFile("GIF", RealFiles.gif, .gif, size(3, 2)),
    RealFile("lossy WebP", RealFiles.lossyWebP, .webP, size(3, 2)),
    RealFile("lossless WebP", RealFiles.losslessWebP, .webP, size(3, 2)),
    RealFile("extended WebP", RealFiles.extendedWebP, .webP, size(2, 3)),
    RealFile("TIFF", RealFiles.tiff, .tiff, size(3, 2)),
    RealFile("BMP", RealFiles.bmp, .bmp, size(3, 2)),
    RealFile("HEIC", RealFiles.heic, .heic, size(64, 48)),
    RealFile("AVIF", RealFiles.avif, .avif, size(37, 61)),
    RealFile("WAV", RealFiles.wav, .wav, time(.milliseconds(20))),
    RealFile("AIFF", RealFiles.aiff, .aiff, time(.milliseconds(20))),
    RealFile("CAF", RealFiles.caf, .caf, time(.milliseconds(20))),
    RealFile("FLAC", RealFiles.flac, .flac, time(.milliseconds(20))),
    RealFile("Vorbis", RealFiles.vorbis, .ogg, time(.milliseconds(100))),
    RealFile("Opus", RealFiles.opus, .ogg, time(.milliseconds(100), sampleRate: 48_000)),
    RealFile("Speex", RealFiles.speex, .ogg, time(.milliseconds(95))),
    RealFile("MP3", RealFiles.mp3, .mp3, time(.milliseconds(288))),
    RealFile("bare MP3", RealFiles.bareMP3, .mp3, time(.milliseconds(288))),
    RealFile("M4A", RealFiles.m4a, .m4a, time(.milliseconds(100))),
    RealFile("MP4 of sound", RealFiles.audioMP4, .m4a, time(.milliseconds(100))),
  ]
}

/// Bytes of something that a store does not take.
struct Stranger: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let bytes: [UInt8]

  private init(_ name: String, _ bytes: [UInt8]) {
    testDescription = name
    self.bytes = bytes
  }

  private static let text = ascii(String(repeating: "A line of text.\n", count: 40_000))

  static let all = [
    Stranger("nothing", []),
    Stranger("MP4 with video", RealFiles.videoMP4),
    Stranger("WebM", RealFiles.webM),
    Stranger("Ogg with video", RealFiles.theora),
    Stranger("AVI", ascii("RIFF") + little(UInt32(4)) + ascii("AVI ")),
    Stranger("PDF made of text", ascii("%PDF-1.4\n1 0 obj << >> endobj\n%%EOF\n")),
    Stranger("zip", ascii("PK\u{3}\u{4}\u{14}") + zeros(25)),
    Stranger("gzip", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0]),
    Stranger("ELF", [0x7F] + ascii("ELF") + [2, 1, 1] + zeros(9)),
    Stranger("SQLite", ascii("SQLite format 3\0") + [0x10, 0, 1, 1, 0, 0x40]),
    Stranger("text followed by as much binary", text + (0..<text.count).map { UInt8($0 & 0x1F) }),
    Stranger("UTF-8 followed by noise", ascii("é") + [0xFF, 0x81, 0xFE, 0x02, 0x90, 0xFE, 0x82]),
    Stranger("texts between zeros", ascii("path\0name\0size\0mode\0")),
    Stranger("numbers of two bytes", (0..<400).flatMap { little(UInt16($0 * 7)) }),
    Stranger("UTF-16 of zeros", [0xFF, 0xFE, 0x41, 0, 0, 0, 0, 0, 0, 0]),
    Stranger("marks alone", [0xEF, 0xBB, 0xBF]),
  ]
}

/// A text that begins with the signature of a media file.
struct LookAlike: CustomTestStringConvertible, Sendable {
  let testDescription: String
  var text: String { testDescription }

  static let all = [
    "BM is what a bitmap begins with, and it takes more than that to be one.",
    "GIF89a is the name of a format that came after GIF87a.",
    "RIFF files hold chunks; WAVE files are RIFF files.",
    "ID3 tags come before the sound.",
    "fLaC is the mark of a FLAC stream.",
    "OggS begins every page.",
    "caff stands for Core Audio File Format.",
    "FORM is the first word of an AIFF file.",
    "II*, and MM the other way round.",
    "    ftyp is the first box.",
    "\n",
    "x",
  ].map(LookAlike.init)
}

private struct FailingSource: ByteSource {
  struct Failure: Error {}

  let byteCount: Int64 = 100

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    throw Failure()
  }
}
