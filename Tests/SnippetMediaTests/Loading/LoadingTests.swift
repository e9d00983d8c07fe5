import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading
@testable import SnippetMedia

/// Thumbnails and waveforms as a loader brings them to cells.
@Suite(
  .enabled(if: MediaSupport.current.decodesImages && MediaSupport.current.decodesRecordings),
  .temporaryDirectory,
  .timeLimit(.minutes(30))
)
@MainActor
struct LoadingTests {
  private let store: SnippetStore
  private let shelf = MemoryShelf()

  init() throws {
    store = try TemporaryStore.open()
  }

  private func save(_ bytes: Data) async throws -> BlobID {
    try #require(try await store.save(SnippetDraft(.bytes(bytes), title: "x")).blobID)
  }

  private func read(
    _ recipe: Recipe,
    of blob: BlobID,
    _ media: any MediaMaking = LibraryMedia(),
    in other: SnippetStore? = nil
  ) throws -> Data {
    var context = LoadContext()
    let key = LoadKey(blobID: blob, recipe: recipe)
    try MediaSource(other ?? store, media: media, shelf: shelf).read(key, into: &context)
    return context.take(for: key).bytes
  }

  private func shown(
    _ media: any MediaMaking,
    _ source: (any BlobSource)? = nil
  ) async throws -> RecordingCell {
    let list = store.list()
    let loader = try SnippetLoader(
      list: list,
      pipeline: LoadPipeline(source: source ?? MediaSource(store, media: media, shelf: shelf)),
      rules: .media(media)
    )
    let cell = RecordingCell()
    loader.show(visible: 0..<1)
    loader.bind(cell, to: 0)
    await loader.settled()
    loader.close()
    return cell
  }

  private func content<Content: Sendable>(
    _ cell: RecordingCell,
    as type: Content.Type
  ) -> Content? {
    guard case .loaded(let blob)? = cell.states.last else { return nil }
    return blob.content(as: type)
  }

  @Test(arguments: Decoder.allCases)
  func `the cell of an image gets pixels, and what is made for them is kept`(
    decoder: Decoder
  ) async throws {
    let blob = try await save(try DemoFile.bytes("mountain-lake.jpg"))

    let cell = try await shown(decoder.make())

    let thumbnail = try #require(content(cell, as: Thumbnail.self))
    // As large as the picture is.
    #expect(thumbnail.pixelWidth == 160)
    #expect(thumbnail.form == .rgba)
    #expect(shelf.kept.map(\.recipe) == [.encodedThumbnail()])
    #expect(shelf.kept.map(\.blob) == [blob])
    #expect(shelf.kept.first?.bytes.starts(with: [0xFF, 0xD8, 0xFF]) == true)
  }

  @Test func `the cell of a recording gets its peaks`() async throws {
    let bytes = try DemoFile.bytes("evening-bell.flac")
    _ = try await save(bytes)

    let cell = try await shown(LibraryMedia())

    let waveform = try LibraryMedia().waveform(of: MediaInput(bytes), peakCount: 100) { false }
    #expect(content(cell, as: Waveform.self) == waveform)
    #expect(shelf.kept.map(\.bytes) == [waveform.bytes])
  }

  /// Finds the first of two peaks, and the second when it may.
  private struct SlowMedia: PartialMedia {
    let mayEnd = Gate()
    static let first = waveform(4, 0)
    static let whole = waveform(4, 5)

    static func waveform(_ loudness: Int8...) -> Waveform {
      Waveform(
        peaks: loudness.map { Waveform.Peak(lowest: -$0, highest: $0) },
        frameCount: 2,
        sampleRate: 1,
        channelCount: 1
      )
    }

    func waveform(
      of recording: MediaInput,
      peakCount: Int,
      onPart: (Waveform) -> Void,
      isCancelled: () -> Bool
    ) throws(MediaError) -> Waveform {
      onPart(Self.first)
      mayEnd.blockUntilOpen()
      return Self.whole
    }
  }

  @Test(arguments: [false, true])
  func `a cell shows the first peaks until all are found`(isOverStore: Bool) async throws {
    _ = try await save(try DemoFile.bytes("evening-bell.flac"))
    let media = SlowMedia()
    let loader = try SnippetLoader(
      list: store.list(),
      pipeline: isOverStore
        ? LoadPipeline(store: store)
        : LoadPipeline(source: MediaSource(store, media: media, shelf: shelf)),
      rules: .media(media)
    )
    let cell = RecordingCell()
    loader.show(visible: 0..<1)
    var shown: [Waveform] = []
    cell.onState = { state in
      switch state {
      case .loading(let progress):
        guard let part = progress.standIn?.content(as: Waveform.self) else { return }
        shown.append(part)
        media.mayEnd.open()
      case .loaded(let blob): shown += [blob.content(as: Waveform.self)].compactMap(\.self)
      case .idle, .failed: break
      }
    }

    loader.bind(cell, to: 0)
    await loader.settled()
    loader.close()

    #expect(shown == [SlowMedia.first, SlowMedia.whole])
  }

  @Test func `over the store alone, all is made from the original`() async throws {
    _ = try await save(try DemoFile.bytes("mountain-lake.jpg"))

    let cell = try await shown(LibraryMedia(), StoreBlobs(store))

    #expect(content(cell, as: Thumbnail.self)?.pixelWidth == 160)
    #expect(shelf.kept.isEmpty)
  }

  @Test func `what is kept is not made again`() async throws {
    let blob = try await save(try DemoFile.bytes("mountain-lake.jpg"))
    let first = try read(.encodedThumbnail(128), of: blob)

    let again = try read(.encodedThumbnail(128), of: blob, NoMedia())

    #expect(first == again)
  }

  @Test(arguments: [Recipe.encodedThumbnail(), .encodedWaveform()])
  func `of wrong bytes nothing is made, and the cell is told`(recipe: Recipe) async throws {
    let isImage = recipe == .encodedThumbnail()
    let bytes = try DemoFile.bytes(isImage ? "mountain-lake.jpg" : "evening-bell.flac")
    let file = TemporaryDirectory.file("damaged.sqlite")
    let damaged = try await SnippetStore.open(at: file)
    let blob = try #require(try await damaged.save(SnippetDraft(.bytes(bytes))).blobID)
    let flip = """
      UPDATE blob_chunk SET data =
        CAST(substr(data, 1, 900) || x'2A2B' || substr(data, 903) AS BLOB)
      """
    let shell = try await Shell.run(
      "sqlite3",
      ["-bail", file.path, ".dbconfig enable_trigger off", flip]
    )
    #expect(shell.status == 0, "\(shell)")

    let error = #expect(throws: LoadError.self) { try read(recipe, of: blob, in: damaged) }

    #expect(error?.code == .unreadable)
    #expect(error?.reason?.contains("do not match its hash") == true, "\(error as Any)")
    #expect(shelf.kept.isEmpty)
    try await damaged.close()
  }

  @Test func `a shelf that fails is as one that is empty`() async throws {
    let blob = try await save(try DemoFile.bytes("mountain-lake.jpg"))
    shelf.isFailing = true

    #expect(try read(.encodedThumbnail(128), of: blob).count > 100)
  }

  @Test func `what cannot be decoded reaches the cell with its reason, once and for all`()
    async throws
  {
    let blob = try await save(UndecodedRecording.wav)

    let cell = try await shown(LibraryMedia())

    guard case .failed(let error)? = cell.states.last else {
      Issue.record("\(cell.states)")
      return
    }
    #expect("\(error)".contains("there is no decoder for audio/wav here"))
    #expect(try await store.content(of: blob) == UndecodedRecording.wav)
    #expect(shelf.kept.isEmpty)
  }

  @Test func `all sizes stand in for one another, a larger one first`() {
    let sizes = [128, 320, 1_024]
    let processors = sizes.map { ThumbnailProcessor($0, among: sizes, media: NoMedia()) }
    let recipes = sizes.map { Recipe.thumbnail($0) }

    for processor in processors {
      #expect(Set(processor.standsInFor) == Set(recipes).subtracting([processor.recipe]))
    }
    #expect(processors.map(\.recipe) == recipes)
    #expect(graph(over: StoreBlobs(store)).standIns(for: recipes[1]) == [recipes[2], recipes[0]])
  }

  private func graph(over source: any BlobSource) -> RecipeGraph {
    var graph = RecipeGraph(BlobSources(blocking: source, asynchronous: nil))
    graph.add(RecipeRules.media(NoMedia()).processors)
    return graph
  }

  @Test func `what is kept in another size is shown until this one is made`() async throws {
    let blob = try await save(try DemoFile.bytes("mountain-lake.jpg"))
    let small = try read(.encodedThumbnail(128), of: blob)

    var context = LoadContext()
    let key = LoadKey(blobID: blob, recipe: .encodedThumbnail(1_024))
    try MediaSource(store, media: LibraryMedia(), shelf: shelf).read(key, into: &context)

    #expect(context.standIn(as: Data.self) == small)
    #expect(context.bytes.count > small.count)
  }

  @Test func `the nearest larger size stands in first`() {
    #expect(MediaWork.thumbnail(200).standIns == [320, 1_024, 128].map(MediaWork.thumbnail))
    #expect(MediaWork.thumbnail(1_024).standIns == [320, 128].map(MediaWork.thumbnail))
    #expect(MediaWork.waveform(1_600).standIns == [.waveform(100)])
  }

  @Test func `over a store alone nothing is made from what is not kept`() {
    for recipe in [Recipe.thumbnail(), .thumbnail(128), .waveform(), .waveform(1_600)] {
      let key = LoadKey(blobID: BlobID(rawValue: 1), recipe: recipe)
      #expect(graph(over: StoreBlobs(store)).input(of: key)?.recipe == .original)
      let source = MediaSource(store, media: NoMedia())
      let kept = graph(over: source).input(of: key)?.recipe
      #expect(kept.flatMap { MediaWork(kept: $0)?.shown } == recipe)
    }
  }

  @Test func `what is missing is made ahead, and only that`() async throws {
    for name in DemoFile.images + DemoFile.recordings {
      _ = try await save(try DemoFile.bytes(name))
    }
    try await store.save(SnippetDraft(.text("Milk")))
    _ = try await save(UndecodedRecording.wav)
    // A WebP is decoded whole or not at all.
    _ = try await save(try DemoFile.bytes("balloon-over-meadow.webp").prefix(500))
    let making = DerivativeMaking(store, media: LibraryMedia(), shelf: shelf)
    let failures = Lock<[MediaError.Code]>([])

    func make(remakes: Bool = false) async throws -> DerivativeReport {
      try await making.run(
        over: store.list(),
        images: [.thumbnail()],
        recordings: [.waveform()],
        workerCount: 2,
        remakes: remakes,
        onProgress: { _ in },
        onFailure: { _, error in failures.withLock { $0.append(error.code) } }
      )
    }

    let first = try await make()
    let again = try await make()
    let anew = try await make(remakes: true)

    #expect(first.madeCount == 10 && first.keptCount == 0)
    #expect(first.undecodableCount == 1 && first.failedCount == 1)
    #expect(failures.withLock { Set($0) } == [.noDecoder, .undecodable])
    #expect(again.madeCount == 0 && again.keptCount == 10 && again.doneCount == 12)
    #expect(anew.madeCount == 10 && anew.keptCount == 0)
    #expect(shelf.kept.count == 20)
  }

  @Test func `a blob that is gone is told as that`() throws {
    #expect(throws: LoadError.self) {
      try read(.encodedThumbnail(128), of: BlobID(rawValue: 99))
    }
  }
}

/// Keeps in memory.
private final class MemoryShelf: DerivativeShelf {
  struct Kept {
    var blob: BlobID
    var recipe: Recipe
    var bytes: Data
  }

  struct Fault: Error {}

  private let state = Lock<(kept: [Kept], isFailing: Bool)>(([], false))

  var kept: [Kept] { state.withLock { $0.kept } }

  var isFailing: Bool {
    get { state.withLock { $0.isFailing } }
    set { state.withLock { $0.isFailing = newValue } }
  }

  func derivative(of blob: BlobID, by recipe: Recipe) throws -> Data? {
    try state.withLock { state in
      guard !state.isFailing else { throw Fault() }
      return state.kept.first { $0.blob == blob && $0.recipe == recipe }?.bytes
    }
  }

  func keep(_ derivative: Data, of blob: BlobID, by recipe: Recipe) throws {
    try state.withLock { state in
      guard !state.isFailing else { throw Fault() }
      state.kept.append(Kept(blob: blob, recipe: recipe, bytes: derivative))
    }
  }
}
