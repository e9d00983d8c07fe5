import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetMedia

/// The size of a picture that a decoder has found, in its row.
@Suite(.temporaryDirectory)
struct FoundPixelSizeTests {
  /// A decoder to which every picture is of one size, if it tells any.
  private struct OneSize: MediaMaking {
    var size: (width: Int, height: Int)?

    func thumbnail(
      of image: MediaInput,
      as request: ThumbnailRequest,
      isCancelled: () -> Bool
    ) throws(MediaError) -> Thumbnail {
      let thumbnail = Thumbnail(
        pixelWidth: 2,
        pixelHeight: 1,
        form: .jpeg,
        bytes: Data([1]),
        imagePixelWidth: size?.width,
        imagePixelHeight: size?.height
      )
      guard let thumbnail else { throw MediaError(.noDecoder) }
      return thumbnail
    }

    func waveform(
      of recording: MediaInput,
      peakCount: Int,
      isCancelled: () -> Bool
    ) throws(MediaError) -> Waveform {
      throw MediaError(.noDecoder)
    }
  }

  private let store: SnippetStore

  init() throws { store = try TemporaryStore.open() }

  @Test(arguments: [true, false])
  func `a size that the header does not have, or another one, is corrected`(
    isKnown: Bool
  ) async throws {
    let bytes = isKnown ? try SampleFiles.demo("mountain-lake.jpg") : Samples.bytes(100)
    let row = try await store.save(
      SnippetDraft(.bytes(bytes), kind: .image, mediaType: isKnown ? nil : "image/x-sample")
    )
    try #require((row.facts.pixelWidth != nil) == isKnown)

    _ = try await store.makeDerivatives(of: store.list(), with: OneSize(size: (400, 200)))

    let corrected = try #require(try store.row(row.id))
    #expect(corrected.facts.pixelWidth == 400 && corrected.facts.pixelHeight == 200)
    #expect(corrected.modifiedAt == row.modifiedAt && corrected.revision > row.revision)
    #expect(try await store.check().isSound)
    _ = try await store.makeDerivatives(
      of: store.list(),
      with: OneSize(size: (400, 200)),
      remakes: true
    )
    #expect(try store.row(row.id)?.revision == corrected.revision)
  }

  @Test func `a decoder that does not tell, or nonsense, changes nothing`() async throws {
    let row = try await store.save(
      SnippetDraft(.bytes(try SampleFiles.demo("mountain-lake.jpg")))
    )

    for size in [nil, (1, 1), (Int.max, Int.max), (0, -5)] as [(Int, Int)?] {
      let media = OneSize(size: size.map { (width: $0.0, height: $0.1) })
      _ = try await store.makeDerivatives(of: store.list(), with: media, remakes: true)
      #expect(try store.row(row.id) == row)
    }
  }

  @Test(arguments: [
    "mountain-lake.jpg", "sunset-over-hills.png", "sailing-boat.gif", "balloon-over-meadow.webp",
    "potted-cactus.bmp",
  ])
  func `a decoder finds the size in the header of a sound picture`(name: String) async throws {
    let row = try await store.save(SnippetDraft(.bytes(try SampleFiles.demo(name))))

    let report = try await store.makeDerivatives(of: store.list(), with: LibraryMedia())

    #expect(report.madeCount == 1)
    #expect(try store.row(row.id) == row)
  }

  @Test func `a size passes from a worker, and an unknown one too`() throws {
    for size in [nil, 70_000] as [Int?] {
      let thumbnail = try #require(
        Thumbnail(
          pixelWidth: 2,
          pixelHeight: 1,
          form: .jpeg,
          bytes: Data([1]),
          imagePixelWidth: size,
          imagePixelHeight: size
        )
      )
      #expect(Thumbnail(workerBytes: thumbnail.workerBytes) == thumbnail)
      #expect(thumbnail.imagePixelWidth == size)
    }
  }
}
