import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

/// Why bytes that begin like something known are nothing that a store takes.
struct ContentRefusalTests {
  private func refusal(_ bytes: [UInt8]) throws -> ContentRefusal? {
    #expect(try recognize(bytes) == nil)
    return try ContentRecognizer.refusal(of: MemoryBytes(bytes))
  }

  @Test func `a PNG of seventeen bytes is no image`() throws {
    let stub = Array(RealFiles.png.prefix(17))

    let refusal = try refusal(stub)

    #expect(refusal == .incomplete(.png))
    #expect(
      refusal?.reason
        == "it begins as PNG and is cut short or damaged: its header gives no size in pixels"
    )
  }

  @Test func `a TIFF whose directory is missing is told to be one`() throws {
    let marks: [[UInt8]] = [
      ascii("II*\0") + little(UInt32(5000)), ascii("MM\0*") + big(UInt32(5000)),
    ]
    for head in marks { #expect(try refusal(head + zeros(300)) == .incomplete(.tiff)) }
  }

  // Of those whose mark alone does not tell what they are nothing is said.
  @Test(arguments: RealFile.all)
  func `a file whose header is cut short is nothing, and soon all of it is there`(
    file: RealFile
  ) throws {
    var wholeCount = 0
    for count in 1..<file.bytes.count {
      let part = Array(file.bytes[..<count])
      if let content = try recognize(part), content.type != .plainText {
        #expect(content.type == file.type && content.facts.areComplete(for: file.type.kind))
        wholeCount += 1
      } else if let refusal = try ContentRecognizer.refusal(of: MemoryBytes(part)) {
        #expect(refusal == .incomplete(file.type), "\(count) bytes")
        #expect(wholeCount == 0 || file.type == .mp3, "\(count) bytes")
      }
    }
    #expect(try recognize(file.bytes) != nil)
  }

  @Test(arguments: [
    ("MP4", RealFiles.videoMP4), ("WebM", RealFiles.webM), ("Ogg", RealFiles.theora),
    ("AVI", ascii("RIFF") + little(UInt32(4)) + ascii("AVI ")),
  ])
  func `a video is told to be one`(format: String, bytes: [UInt8]) throws {
    let refusal = try refusal(bytes)

    #expect(refusal == .video(format: format))
    #expect(
      refusal?.reason == "it is a video (\(format)); a store keeps texts, images and recordings"
    )
  }

  @Test(arguments: [("qt  ", "QuickTime"), ("3gp4", "3GP"), ("isom", "MP4"), ("mp42", "MP4")])
  func `its brand names the format of a video`(brand: String, format: String?) throws {
    let track = box("trak", box("mdia", box("hdlr", zeros(8), ascii("vide"), zeros(13))))
    let bytes = box("ftyp", ascii(brand), zeros(4), ascii("isom")) + box("moov", track)

    #expect(try refusal(bytes) == format.map { .video(format: $0) })
  }

  @Test func `nothing is told of bytes of no known format`() throws {
    #expect(try refusal([]) == nil)
    #expect(try refusal([1, 2, 3, 4, 5, 6, 7, 8]) == nil)
  }

  private static let others: [(bytes: [UInt8], name: String)] = [
    (ascii("\u{7F}ELF\u{2}\u{1}\u{1}"), "a program"),
    (ascii("%PDF-1.4\n1 0 obj << >> endobj\n%%EOF\n"), "a PDF document"),
    ([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "a WMA or WMV file"),
    (ascii("PK\u{3}\u{4}"), "a ZIP archive, or a document in one"),
    ([0x1F, 0x8B, 8], "compressed by gzip"),
    (ascii("FUJIFILMCCD-RAW 0201FF"), "a raw picture (RAF)"),
    (ascii("IIRO\u{8}\0\0\0"), "a raw picture (ORF)"),
    (ascii("IIU\0\u{8}\0\0\0"), "a raw picture (RW2)"),
    (ascii("II*\0\u{10}\0\0\0CR\u{2}\0\0\0\0\0"), "a raw picture (CR2)"),
    ([0x76, 0x2F, 0x31, 1, 2, 0, 0, 0], "an OpenEXR picture"), (ascii("DDS |\0"), "a DDS picture"),
    (ascii("#?RADIANCE\n\n") + [0x80, 0xFF, 1], "a Radiance picture"),
    (ascii("P6\n4 4\n255\n") + [0, 1, 2, 0xFF], "a Netpbm picture"),
    (ascii("P7\nWIDTH 4\n") + [0, 1], "a Netpbm picture"),
    ([0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3, 0, 24, 0x20], "a Targa picture"),
    ([0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3, 0, 32, 8], "a Targa picture"),
    ([0, 0, 2, 0, 1, 0, 32, 32, 0, 0, 0, 0, 48, 48, 1, 0, 0, 0], "a cursor of Windows"),
    ([0, 0, 1, 0, 1, 0, 32, 32], "an icon of Windows"),
    ([10, 5, 1, 8, 0, 0, 0, 0, 15, 0, 15, 0] + zeros(120), "a PCX picture"),
    (ascii("RIFF\u{30}\0\0\0ACONanih"), "an animated cursor of Windows"),
    (ascii("FORM\0\0\u{1}\0ILBMBMHD"), "an ILBM picture"),
    (ascii(".snd\0\0\0\u{18}"), "an AU recording"),
    ([0xFF, 0xFD, 0x84, 0x04, 0x33, 0x22], "an MP2 recording"),
    ((0..<12).flatMap { _ in [0x47] + zeros(187) }, "an MPEG transport stream"),
    ([0x89] + ascii("PNG\r\n\u{1A}\n\0\0\0\u{4}CgBI"), "a PNG in Apple's form for apps"),
  ]

  @Test(arguments: others)
  func `another format is told by its name`(bytes: [UInt8], name: String) throws {
    #expect(try refusal(bytes + zeros(30)) == .other(name: name))
  }

  @Test(arguments: [
    ("NIKON CORPORATION", "NEF"), ("SONY", "ARW"), ("PENTAX", "PEF"), ("Maker", "of a camera"),
  ])
  func `a raw picture in the structure of TIFF is not the preview in it`(
    maker: String,
    name: String
  ) throws {
    let text = ascii(maker) + [0]
    let size = UInt32(text.count)
    let entries: [(UInt16, UInt16, UInt32, UInt32)] = [
      (254, 4, 1, 1), (256, 4, 1, 160), (257, 4, 1, 120), (271, 2, size, 8 + 2 + 60 + 4),
      (330, 4, 1, 200),
    ]
    let rows = entries.flatMap { entry -> [UInt8] in
      little(entry.0) + little(entry.1) + little(entry.2) + little(entry.3)
    }
    let head = ascii("II*\0") + little(UInt32(8)) + little(UInt16(5))
    let bytes = [head, rows, zeros(4), text, zeros(300)].flatMap { $0 }
    #expect(try refusal(bytes) == .other(name: "a raw picture (\(name))"))
  }

  @Test func `a text that begins like a picture stays a text`() throws {
    let texts = [
      "P6 is a postcode", "DDS is for teeth", "MP+ and more", "#?RADIANCE", "P5\n12 of them",
    ]
    for text in texts {
      #expect(try recognize(ascii(text))?.type == .plainText, "\(text)")
    }
  }
}
