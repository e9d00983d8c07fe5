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
  .timeLimit(.minutes(30))
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

    #expect(try await Self.firstWidth(in: store, by: media) == 160)
  }

  @Test func `without the worker a picture fails at once`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.bytes(try DemoFiles.bytes("mountain-lake.jpg"))))

    #expect(try await Self.firstWidth(in: store, by: mediaBesideTheApp()) == nil)
  }

  /// The width of the thumbnail that a view gets at the first position.
  @MainActor
  private static func firstWidth(in store: SnippetStore, by media: WorkerMedia) async throws -> Int?
  {
    let dataSource = snippets(in: store, media: media)
    let view = ThumbnailView()
    dataSource.show(visible: 0..<1)
    dataSource.present(0, in: view)
    await dataSource.loader.settled()
    defer { dataSource.loader.close() }
    return view.picture?.pixelWidth
  }
}
