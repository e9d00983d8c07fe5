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

  @Test(arguments: [("qt  ", "QuickTime"), ("3gp4", "3GP"), ("isom", "MP4"), ("crx ", nil)])
  func `its brand names the format of a video`(brand: String, format: String?) throws {
    let track = box("trak", box("mdia", box("hdlr", zeros(8), ascii("vide"), zeros(13))))
    let bytes = box("ftyp", ascii(brand), zeros(4), ascii("isom")) + box("moov", track)

    #expect(try refusal(bytes) == format.map { .video(format: $0) })
  }

  @Test func `of what nobody knows nothing is told`() throws {
    #expect(try refusal([]) == nil)
    #expect(try refusal([0x7F] + ascii("ELF") + [2, 1, 1] + zeros(9)) == nil)
    #expect(try refusal(ascii("%PDF-1.4\n1 0 obj << >> endobj\n%%EOF\n")) == nil)
  }
}
