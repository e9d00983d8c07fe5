import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetRecognition

struct RecordingDateTests {
  private static func frame(_ name: String, _ text: String) -> [UInt8] {
    ascii(name) + big(UInt32(text.utf8.count + 1)) + [0, 0, 0] + ascii(text)
  }

  private static func tagged(_ frames: [UInt8]...) -> [UInt8] {
    let content = frames.flatMap { $0 }
    return ascii("ID3") + [3, 0, 0] + TitledFile.syncsafe(content.count) + content + TitledFile.mp3
  }

  private static func comments(_ entries: [String]) -> [UInt8] {
    let listed = entries.flatMap { little(UInt32($0.utf8.count)) + ascii($0) }
    return little(UInt32(0)) + little(UInt32(entries.count)) + listed
  }

  private static func caf(_ key: String, _ date: String) -> [UInt8] {
    let content = big(UInt32(1)) + ascii("\(key)\0\(date)\0")
    return TitledFile.caf(after: ascii("info") + big(Int64(content.count)) + content)
  }

  @Test func `a date of a CAF that cannot be read is named`() throws {
    let content = try recognize(Self.caf("recorded date", "last week"))

    #expect(content?.unreadTexts == [.unreadable(name: "recorded date")])
    #expect(content?.dates.best == nil)
  }

  private static func bext(_ date: String) -> [UInt8] {
    TitledFile.wav(before: riffChunk("bext", zeros(320) + ascii(date) + zeros(264)))
  }

  @Test(arguments: [
    bext("2024-03-0110:30:00"), bext("2024:03:0110-30-00"), bext("2024/03/0110.30.00"),
    tagged(frame("TDRC", "2024-03-01T10:30:00")), tagged(frame("TDRL", "2024-03-01 10:30")),
    tagged(frame("TYER", "2024"), frame("TDAT", "0103"), frame("TIME", "1030")),
    TitledFile.flac(comments(["ARTIST=x", "date=2024-03-01T10:30:00"])),
    caf("recorded date", "2024-03-01T10:30:00"), caf("date", "2024-03-01 10:30"),
    TitledFile.wav(
      before: riffChunk("bext", zeros(320) + ascii("2024-03-0110:30:00") + zeros(264)),
      after: riffChunk("LIST", ascii("INFO") + riffChunk("INAM", ascii("x")))
    ),
    TitledFile.wav(
      after: riffChunk("LIST", ascii("INFO") + riffChunk("ICRD", ascii("2024-03-01 10:30\0")))
    ),
  ])
  func `the day and the time that a recorder wrote are told`(bytes: [UInt8]) throws {
    #expect(try recognize(bytes)?.dates.best == CaptureDateTests.local(2024, 3, 1, 10, 30))
  }

  @Test(arguments: [
    tagged(frame("TYER", "2024"), frame("TDAT", "0103"), frame("TIME", "9999")),
    tagged(frame("TDRC", "2024"), frame("TYER", "2024"), frame("TDAT", "0103")),
    TitledFile.flac(comments(["DATE=2024", "RecordingDate=2024-03-01"])),
    bext("2024-03-01\0\0\0\0\0\0\0\0"),
  ])
  func `a day without a valid time is a day`(bytes: [UInt8]) throws {
    #expect(try recognize(bytes)?.dates.best == CaptureDateTests.local(2024, 3, 1))
  }

  @Test(arguments: [
    tagged(frame("TYER", "1999")), tagged(frame("TDRC", "1999-06")), bext("0000-00-0000:00:00"),
    bext(String(repeating: "x", count: 18)), TitledFile.flac(comments(["DATE=1999"])),
    TitledFile.wav(before: riffChunk("bext", zeros(20))),
    tagged(frame("TYER", "2024"), frame("TDAT", "3113")),
  ])
  func `the year of a song is no date of a recording`(bytes: [UInt8]) throws {
    let content = try recognize(bytes)
    #expect(content != nil)
    #expect(content?.dates.best == nil)
  }
}
