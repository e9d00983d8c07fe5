import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// The samples on media, run.
@Suite(
  .temporaryDirectory,
  .enabled(if: MediaSupport.current.decodesImages),
  .timeLimit(.minutes(10))
)
struct MediaSampleTests {
  private let media = WorkerMedia(
    .init(executable: SnipTool.executable, arguments: ["decode-media"])
  )

  @Test func `thumbnails are made ahead`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.bytes(try DemoFiles.bytes("mountain-lake.jpg"))))

    #expect(try await MediaComments.makingAhead(in: store, media: media) == 1)
  }

  @Test func `a cell gets its thumbnail`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.bytes(try DemoFiles.bytes("mountain-lake.jpg"))))

    let width = await MainActor.run { pictureLoader(of: store, media: media) }.firstThumbnailWidth()

    #expect(width == 160)
  }
}

extension SnippetLoader {
  /// The width of the thumbnail that a cell gets at the first position.
  fileprivate func firstThumbnailWidth() async -> Int? {
    let cell = RecordingCell()
    viewportDidChange(0..<1)
    bind(cell, to: 0)
    await settled()
    defer { close() }
    guard case .loaded(let blob)? = cell.states.last else { return nil }
    return blob.content(as: Thumbnail.self)?.pixelWidth
  }
}
