import Foundation
import SnippetBase
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// How much of a snippet is decoded to be drawn.
@Suite(.temporaryDirectory)
struct SnippetPictureTests {
  private let fit = PictureFit(.symbols(.none), in: BoxSize(columns: 40, lines: 30), cell: .usual)

  @Test func `a picture is decoded for the longer side of its room, a waveform for its dots`() {
    #expect(SnippetPicture.detail(of: .image, for: fit) == 600)
    #expect(SnippetPicture.detail(of: .voice, for: fit) == 80)
  }

  @Test func `what may become larger is decoded for that`() async throws {
    let store = try TemporaryStore.open()
    let image = try await store.save(SnippetDraft(.bytes(Samples.png), kind: .image))
    let voice = try await store.save(SnippetDraft(.bytes(Samples.wav(frameCount: 9)), kind: .voice))
    let media = AskedMedia()

    for row in [image, voice] {
      for growth in [1, 2] {
        await #expect(throws: MediaError.self) {
          _ = try await SnippetPicture.of(row, in: store, media: media, for: fit, growth: growth)
        }
      }
    }

    #expect(media.asked == [600, 1200, 80, 160])
  }

  @Test func `a picture over the whole screen is decoded for one twice as large`() async throws {
    let store = try TemporaryStore.open()
    let image = try await store.save(SnippetDraft(.bytes(Samples.png), kind: .image))
    let media = AskedMedia()
    let opening = PictureOpening(media: media, colors: .none, cell: .usual)

    await #expect(throws: MediaError.self) {
      _ = try await opening.picture(of: image, in: store, fitting: BoxSize(columns: 80, lines: 22))
    }

    #expect(media.asked == [1600])
  }
}

/// Decodes nothing, and notes how much it was asked for.
private final class AskedMedia: PartialMedia {
  private let numbers = Lock<[Int]>([])

  var asked: [Int] { numbers.withLock { $0 } }

  func thumbnail(
    of image: MediaInput,
    as request: ThumbnailRequest,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Thumbnail {
    numbers.withLock { $0.append(request.maximumPixelSize) }
    throw MediaError(.noDecoder)
  }

  func waveform(
    of recording: MediaInput,
    peakCount: Int,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    numbers.withLock { $0.append(peakCount) }
    throw MediaError(.noDecoder)
  }
}
