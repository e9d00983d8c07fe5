import Foundation
import SnippetExchange
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Which date the snippet of a picture gets.
@Suite(.temporaryDirectory)
struct CaptureDateSavingTests {
  @Test func `an import takes the date of the picture, not that of its copy`() async throws {
    let store = try TemporaryStore.open()
    let (taken, plain) = (TemporaryDirectory.file("a.jpg"), TemporaryDirectory.file("b.jpg"))
    try Data(DatedPicture.jpeg(DatedPicture.exif("2020:02:03 04:05:06", zone: "+00:00"))).write(
      to: taken
    )
    try Data(DatedPicture.jpeg(DatedPicture.exif("0000:00:00 00:00:00"))).write(to: plain)
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
    let bytes = Data(DatedPicture.jpeg(DatedPicture.exif("2020:02:03 04:05:06")))

    let row = try await store.save(SnippetDraft(.bytes(bytes), createdAt: Samples.date))

    #expect(row.createdAt == Samples.date)
  }
}
