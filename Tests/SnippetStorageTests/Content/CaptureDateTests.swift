import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory)
struct CaptureDateTests {
  /// An EXIF block with the moment at which a picture was taken.
  private func exif(
    _ moment: String,
    zone: String? = nil,
    directoryAt place: UInt32 = 26
  ) -> [UInt8] {
    let entryCount: UInt32 = zone == nil ? 1 : 2
    let textAt = 26 + 2 + 12 * entryCount + 4
    func entry(_ tag: UInt16, _ type: UInt16, _ count: UInt32, _ value: UInt32) -> [UInt8] {
      little(tag) + little(type) + little(count) + little(value)
    }
    var bytes = ascii("II") + little(UInt16(42)) + little(UInt32(8)) + little(UInt16(1))
    bytes += entry(0x8769, 4, 1, place) + zeros(4) + little(UInt16(entryCount))
    bytes += entry(0x9003, 2, UInt32(moment.utf8.count + 1), textAt)
    if let zone {
      bytes += entry(0x9011, 2, UInt32(zone.utf8.count + 1), textAt + UInt32(moment.utf8.count + 1))
    }
    return bytes + zeros(4) + ascii(moment) + [0] + ascii(zone ?? "") + [0]
  }

  private func jpeg(_ exif: [UInt8]) -> [UInt8] {
    let block = ascii("Exif\0\0") + exif
    return [0xFF, 0xD8, 0xFF, 0xE1] + big(UInt16(block.count + 2)) + block
      + [0xFF, 0xC0] + big(UInt16(11)) + [8] + big(UInt16(3)) + big(UInt16(4)) + zeros(4)
  }

  private func png(_ exif: [UInt8]) -> [UInt8] {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      big(UInt32(content.count)) + ascii(name) + content + zeros(4)
    }
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", big(UInt32(4)) + big(UInt32(3)) + [8, 6, 0, 0, 0])
      + chunk("eXIf", exif) + chunk("IDAT", [])
  }

  private func webP(_ exif: [UInt8]) -> [UInt8] {
    ascii("RIFF") + zeros(4) + ascii("WEBP") + riffChunk("VP8X", [8] + zeros(9))
      + riffChunk("EXIF", exif)
  }

  @Test func `the date that a camera wrote is told, with its zone`() throws {
    let block = exif("2026:01:31 12:00:00", zone: "+05:30")

    for bytes in [jpeg(block), png(block), webP(block)] {
      let date = try #require(try recognize(bytes)?.capturedAt)
      #expect(date == Date(timeIntervalSince1970: 1_769_841_000))
    }
  }

  @Test func `a date without a zone is one of this machine`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let parts = DateComponents(year: 2026, month: 7, day: 4, hour: 23, minute: 59, second: 1)

    let date = try recognize(jpeg(exif("2026:07:04 23:59:01")))?.capturedAt

    #expect(date == calendar.date(from: parts))
  }

  @Test(arguments: [
    "0000:00:00 00:00:00", "    :  :     :  :  ", "2026:13:31 12:00:00", "2026:01:31 25:00:00",
    "2026:01:31", "2026:01:31 12:00:00 and more", "", "99999999999999999999",
  ])
  func `a senseless date is none`(moment: String) throws {
    #expect(try recognize(jpeg(exif(moment)))?.capturedAt == nil)
  }

  @Test(arguments: [0, 7, 1_000_000, .max] as [UInt32])
  func `a block that points elsewhere says nothing, and its picture is recognised all the same`(
    place: UInt32
  ) throws {
    let content = try recognize(jpeg(exif("2026:01:31 12:00:00", directoryAt: place)))

    #expect(content?.type == .jpeg)
    #expect(content?.facts == MediaFacts(pixelWidth: 4, pixelHeight: 3))
    #expect(content?.capturedAt == nil)
  }

  @Test func `an import takes the date of the picture, not that of its copy`() async throws {
    let store = try TemporaryStore.open()
    let (taken, plain) = (TemporaryDirectory.file("a.jpg"), TemporaryDirectory.file("b.jpg"))
    try Data(jpeg(exif("2020:02:03 04:05:06", zone: "+00:00"))).write(to: taken)
    try Data(jpeg(exif("0000:00:00 00:00:00"))).write(to: plain)
    for file in [taken, plain] {
      try FileManager.default.setAttributes(
        [.modificationDate: Samples.date],
        ofItemAtPath: file.path
      )
    }

    try await store.importFiles(at: [taken, plain])

    let dates = try store.list(order: .newestFirst).rows(in: 0..<2).map(\.createdAt)
    #expect(dates == [Samples.date, Date(timeIntervalSince1970: 1_580_702_706)])
  }

  @Test func `a date that was given counts more than that of the picture`() async throws {
    let store = try TemporaryStore.open()
    let bytes = Data(jpeg(exif("2020:02:03 04:05:06")))

    let row = try await store.save(SnippetDraft(.bytes(bytes), createdAt: Samples.date))

    #expect(row.createdAt == Samples.date)
  }
}
