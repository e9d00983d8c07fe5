import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetLoading
@testable import SnippetMedia

/// The playing time that a decoder has counted, in the row of its recording.
@Suite(.temporaryDirectory)
struct CountedDurationTests {
  /// A decoder that counts ten seconds in everything.
  private struct TenSeconds: MediaMaking {
    func thumbnail(
      of image: MediaInput,
      as request: ThumbnailRequest,
      isCancelled: () -> Bool
    ) throws(MediaError) -> Thumbnail {
      throw MediaError(.noDecoder)
    }

    func waveform(
      of recording: MediaInput,
      peakCount: Int,
      isCancelled: () -> Bool
    ) throws(MediaError) -> Waveform {
      let peak = Waveform.Peak(lowest: Int8(-1), highest: Int8(1))
      return Waveform(peaks: [peak], frameCount: 80_000, sampleRate: 8000, channelCount: 1)
    }
  }

  private let store: SnippetStore
  private let date = Date(timeIntervalSince1970: 1_700_000_000)

  init() throws {
    store = try TemporaryStore.open()
  }

  /// Saves a recording whose header says a hundredth of a second.
  private func save() async throws -> SnippetRow {
    try await store.save(
      SnippetDraft(.bytes(Data(TitledFile.wav())), title: "memo", createdAt: date)
    )
  }

  @Test func `derivatives made ahead of time correct the row, which is no edit`() async throws {
    let row = try await save()
    let before = try await store.changes(after: ChangeNumber(rawValue: 0))

    _ = try await store.makeDerivatives(of: store.list(), with: TenSeconds())

    let corrected = try #require(try store.row(row.id))
    #expect(corrected.facts.duration == .seconds(10))
    #expect(corrected.facts.sampleRate == 8000)
    #expect(corrected.modifiedAt == row.modifiedAt && corrected.title == row.title)
    #expect(corrected.revision > row.revision)
    #expect(try await store.check().isSound)
    #expect(try await store.changes(after: before.next).changes.map(\.snippetID) == [row.id])

    _ = try await store.makeDerivatives(of: store.list(), with: TenSeconds())
    #expect(try store.row(row.id)?.revision == corrected.revision)
  }

  @Test func `a waveform that was made before corrects the row too`() async throws {
    let row = try await save()
    let blob = try #require(row.blobID)
    let waveform = Waveform(peaks: [], frameCount: 16_000, sampleRate: 8000, channelCount: 1)
    try await store.saveDerivatives([
      Derivative(blobID: blob, recipe: .encodedWaveform(), data: waveform.bytes)
    ])

    _ = try await store.makeDerivatives(of: store.list(), with: TenSeconds())

    #expect(try store.row(row.id)?.facts.duration == .seconds(2))
  }

  @Test func `a waveform made for a cell corrects the row`() async throws {
    let row = try await save()
    var context = LoadContext()
    let key = LoadKey(blobID: try #require(row.blobID), recipe: .encodedWaveform())

    try MediaSource(store, media: TenSeconds()).read(key, into: &context)

    #expect(try store.row(row.id)?.facts.duration == .seconds(10))
    #expect(try store.row(row.id)?.modifiedAt == row.modifiedAt)
  }

  @Test(
    arguments: [
      (nil, 10_000, true), (10_000, 10_000, false), (9700, 10_000, false), (9000, 10_000, true),
      (0, 400, false), (0, 600, true), (600_000, 605_000, false), (600_000, 620_000, true),
    ] as [(Int?, Int, Bool)]
  )
  func `a header that rounds is not corrected`(stated: Int?, counted: Int, isOther: Bool) {
    let stated = stated.map { Duration.milliseconds($0) }
    #expect(Duration.milliseconds(counted).isOther(than: stated) == isOther)
  }
}
