import Foundation
import SnippetBase
import SnippetLoading
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// What could not be loaded or drawn can be tried again.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseRetryTests {
  private let store: SnippetStore
  private let gate = FailureGate()

  init() async throws {
    store = try TemporaryStore.open()
    for number in 0..<2 {
      try await store.save(
        SnippetDraft(
          .bytes(Samples.bytes(2_000, seed: UInt64(number))),
          kind: .image,
          mediaType: "image/png",
          title: "Picture \(number)",
          createdAt: Samples.date.addingTimeInterval(Double(number))
        )
      )
    }
  }

  @Test func `a failed row says why, and R tries again`() async throws {
    let fixture = BrowseFixture(
      store,
      size: ScreenSize(columns: 70, lines: 11),
      drawing: GatedFacts(gate: gate)
    )
    gate.error = LoadError(.tooLarge)
    try await fixture.run("wait", "dump", "R", "wait", "dump")
    gate.error = nil
    try await fixture.run("R", "dump", "wait", "dump", "R", "dump")

    let frames = fixture.frames.all
    #expect(
      frames[0].text == """
         store.sqlite  newest first                                       1/2

        ▌ ┌────────┐ Picture 1                              2026-01-01 00:00
        ▌ │  PNG   │ Not loaded: it is too large to be held in memory.
        ▌ └───────!┘                                           2.0 kB  no. 2

          ┌────────┐ Picture 0                              2026-01-01 00:00
          │  PNG   │ Not loaded: it is too large to be held in memory.
          └───────!┘                                           2.0 kB  no. 1

         Not loaded: it is too large to be held in memory. R tries again.

        """
    )
    #expect(frames[1].lines[4].text.contains("└───────!┘"))
    // It is tried again once the reads go on, and the other row is left alone.
    #expect(frames[2].lines[4].text.contains("└───────…┘"))
    #expect(frames[2].lines[8].text.contains("└───────!┘"))
    #expect(frames[3].lines[4].text.contains("└────────┘"))
    #expect(frames[3].lines[10].text.hasPrefix(" ? help"))
    #expect(frames[4].lines[10].text == " Nothing has failed here.")
    let counters = fixture.list.source.loader.counters
    #expect(counters.loadsStarted == 4 && counters.loadsFailed == 3 && counters.loadsFinished == 1)
  }

  @Test func `R does not wait for the time of the next attempt`() async throws {
    let fixture = BrowseFixture(
      store,
      size: ScreenSize(columns: 60, lines: 7),
      drawing: GatedFacts(gate: gate)
    )
    gate.error = LoadError(.unreadable, reason: "disk I/O error")
    // In a script no attempt is made again by itself.
    try await fixture.run("wait", "dump")
    gate.error = nil
    try await fixture.run("R", "wait", "dump")

    #expect(fixture.frames.all[0].lines[6].text == " Not loaded: disk I/O error. R tries again.")
    #expect(fixture.frames.all[1].lines[6].text.hasPrefix(" ? help"))
  }

  @Test func `the reason gives way to the key on a narrow screen`() async throws {
    let fixture = BrowseFixture(
      store,
      size: ScreenSize(columns: 30, lines: 7),
      drawing: GatedFacts(gate: gate)
    )
    gate.error = LoadError(.tooLarge)
    try await fixture.run("wait", "dump")

    #expect(fixture.frame.lines[6].text == " Not loaded: i… R tries again.")
  }

  @Test(.enabled(if: TerminalAbilities.libraryVersion != nil))
  func `what could not be opened is opened by R`() async throws {
    let media = GatedMedia(gate: gate)
    let fixture = BrowseFixture(
      store,
      size: ScreenSize(columns: 60, lines: 16),
      drawing: RowPictures(media: media, colors: .none)
    )
    gate.mediaError = MediaError(.crashed)
    try await fixture.run("enter", "wait", "dump", "R", "wait", "dump")
    gate.mediaError = nil
    try await fixture.run("R", "dump", "wait", "dump", "q", "wait", "dump")

    let frames = fixture.frames.all
    for frame in frames[0...1] {
      #expect(frame.openedText.hasPrefix("\nPicture 1\n\nNot drawn: "), "\(frame.text)")
      let status = frame.lines[15].text
      #expect(status.hasPrefix(" ! Picture 1: the decoder failed "), "\(status)")
      #expect(status.hasSuffix(" R try again  q back "), "\(status)")
    }
    #expect(frames[2].lines[15].text == " Opening Picture 1 …")
    #expect(frames[3].lines[15].text.hasPrefix(" Picture 1 "), "\(frames[3].text)")
    #expect(frames[3].lines[15].text.hasSuffix("  i facts  o open  e edit note  q back "))
    // The row was tried again with it.
    #expect(!frames[4].lines[1...4].contains { $0.text.contains("┌") }, "\(frames[4].text)")
  }
}

/// Whether loads and decoders fail, until somebody says otherwise.
private final class FailureGate: Sendable {
  private let state = Lock<(load: LoadError?, media: MediaError?)>((nil, nil))

  var error: LoadError? {
    get { state.withLock(\.load) }
    set { state.withLock { $0.load = newValue } }
  }

  var mediaError: MediaError? {
    get { state.withLock(\.media) }
    set { state.withLock { $0.media = newValue } }
  }
}

/// Draws no pictures; loads fail as the gate says.
private struct GatedFacts: PictureDrawing {
  let gate: FailureGate
  let rules = RecipeRules.originals
  let opening: PictureOpening? = nil

  func source(of store: SnippetStore) -> any BlobSource { Source(gate: gate, store: store) }

  func lines(of blob: LoadedBlob, in size: BoxSize) -> [FrameLine]? { nil }

  private struct Source: BlobSource {
    let gate: FailureGate
    let store: SnippetStore

    func read(_ key: LoadKey, into context: inout LoadContext) throws {
      if let error = gate.error { throw error }
      try StoreBlobs(store).read(key, into: &context)
    }
  }
}

/// Decodes everything to the same picture, or fails as the gate says.
private struct GatedMedia: PartialMedia {
  let gate: FailureGate

  func thumbnail(
    of image: MediaInput,
    as request: ThumbnailRequest,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Thumbnail {
    if let error = gate.mediaError { throw error }
    let pixels = Pixels.halves(Pixels.red, Pixels.green, width: 40, height: 20)
    guard let thumbnail = pixels.thumbnail else { throw MediaError(.undecodable) }
    guard request.isEncoded else { return thumbnail }
    return Thumbnail(
      pixelWidth: 40,
      pixelHeight: 20,
      form: .webP,
      // Whatever comes back of it is not looked at.
      bytes: pixels.opaquePNG
    ) ?? thumbnail
  }
}
