import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct CaptureTests {
  @Test(arguments: StorePlace.allCases, [1, 262_143, 262_144, 262_145, 1_048_577, 2_800_000])
  func `pieces of any size become one snippet`(_ place: StorePlace, _ byteCount: Int) async throws {
    var random = SeededGenerator()
    let store = try place.open()
    let bytes = Samples.bytes(byteCount)
    let capture = try await store.startCapture(
      title: "A  thought",
      tags: ["voice", "Voice", "car", "\u{301}x"],
      kind: .voice,
      mediaType: "audio/x-sample"
    )
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = random.element(of: [0, 1, 17, 4096, 262_144, 300_000, 900_000])
      try await capture.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(capture.byteCount == Int64(byteCount))

    let row = try await capture.finish()

    #expect(row.title == "A thought")
    #expect(row.tags == ["car", "voice", "\u{301}x"])
    #expect(row.kind == .voice)
    #expect(row.mediaType == "audio/x-sample")
    #expect(row.byteCount == Int64(byteCount))
    #expect(try await store.content(of: row.id) == bytes)
    #expect(try await store.captures() == [])
    await #expect(
      errorCode {
        try await capture.append(Data([1])); try await capture.save()
      } == .notFound
    )
    #expect(await errorCode { try await capture.finish() } == .notFound)
  }

  @Test(arguments: StorePlace.allCases)
  func `what is recorded is told by its bytes`(_ place: StorePlace) async throws {
    let store = try place.open()
    func record(_ bytes: Data, kind: SnippetKind? = nil) async throws -> SnippetRow {
      let capture = try await store.startCapture(kind: kind)
      try await capture.append(bytes)
      return try await capture.finish()
    }

    let wave = try await record(Samples.wav(frameCount: 2_000_000))
    let short = try await record(Data("Milk, eggs\nbread".utf8))
    let long = try await record(Data(Samples.longText().utf8))
    let unknown = try await record(Samples.bytes(1_500_000), kind: .voice)

    #expect(wave.facts.duration == .seconds(250))
    #expect(short.title == "Milk, eggs")
    #expect(short.blobID == nil)
    #expect(try await store.text(of: long.id) == Samples.longText())
    #expect(unknown.mediaType == "application/octet-stream")
    #expect(try await store.captures() == [])
  }

  @Test(arguments: StorePlace.allCases)
  func `bytes that the store has are not kept twice`(_ place: StorePlace) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(2_800_000)
    let saved = try await store.save(Samples.voice(bytes))
    let capture = try await store.startCapture(kind: .voice)
    try await capture.append(bytes)

    let row = try await capture.finish()

    #expect(row.blobID == saved.blobID)
    #expect(try await store.information().blobCount == 1)
    #expect(try store.rowCount(of: "blob_chunk") == 11)
    #expect(try store.rowCount(of: "staged_blob") == 0)
  }

  @Test(arguments: StorePlace.allCases)
  func `a capture that is finished takes the writer no longer for its size`(
    _ place: StorePlace
  ) async throws {
    let store = try place.open()
    let capture = try await store.startCapture(kind: .voice)
    try await capture.append(Samples.bytes(9_000_000))
    try await capture.save()
    let before = try store.rowCount(of: "blob_chunk")

    let row = try await capture.finish()

    // Its chunks are where they were: the blob has the number of the capture.
    #expect(before == 34)
    #expect(try store.rowCount(of: "blob_chunk") == 35)
    #expect(row.blobID?.rawValue == capture.id.rawValue)
  }

  @Test(arguments: StorePlace.allCases)
  func `a capture that is cancelled leaves nothing`(_ place: StorePlace) async throws {
    let store = try place.open()
    let capture = try await store.startCapture()
    try await capture.append(Samples.bytes(17_000_000))

    try await capture.cancel()
    try await capture.cancel()

    #expect(try await store.captures() == [])
    #expect(try store.rowCount(of: "blob_chunk") == 0)
    #expect(try store.rowCount(of: "staged_blob") == 0)
    await #expect(errorCode { try await capture.finish() } == .notFound)
  }

  @Test func `nothing is no snippet, and stays to be cancelled`() async throws {
    let store = try TemporaryStore.open()
    let capture = try await store.startCapture()

    await #expect(errorCode { try await capture.finish() } == .unsupportedContent)
    #expect(try await store.captures().count == 1)
    try await capture.cancel()
    #expect(try await store.captures() == [])
  }

  // recorder                    somebody else, on the same file
  // appends, saves
  //                             sees it in progress, and may not touch it
  // is released
  //                             finishes it
  @Test func `a released capture stays, and any store can finish it`() async throws {
    let store = try TemporaryStore.open()
    let other = try TemporaryStore.open()
    let bytes = Samples.bytes(600_000)
    var capture: Capture? = try await store.startCapture(title: "left", kind: .voice)
    let id = try #require(capture?.id)
    try await capture?.append(bytes)
    try await capture?.save()

    #expect(try await other.captures().map(\.isInProgress) == [true])
    #expect(try await other.captures().map(\.byteCount) == [600_000])
    await #expect(errorCode { try await other.finishCapture(id) } == .busy)
    await #expect(errorCode { try await other.discardCapture(id) } == .busy)
    capture = nil

    // The last reference to it goes with the thread that saved it.
    while try await other.captures().first?.isInProgress == true { await Task.yield() }
    let row = try await other.finishCapture(id)
    #expect(try await store.content(of: row.id) == bytes)
    #expect(row.title == "left")
    await #expect(errorCode { try await other.finishCapture(id) } == .notFound)
    try await other.discardCapture(id)
  }

  @Test(arguments: StorePlace.allCases)
  func `the asynchronous forms record the same`(_ place: StorePlace) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(700_000)
    let capture = try await store.startCapture(kind: .voice)
    let cancelled = try await store.startCapture()
    try await cancelled.append(bytes)

    for start in stride(from: 0, to: bytes.count, by: 70_000) {
      try await capture.append(bytes[start..<start + 70_000])
    }
    try await capture.save()
    let row = try await capture.finish()
    try await cancelled.cancel()

    let content = try await store.content(of: row.id)
    #expect(content == bytes)
    #expect(try await store.captures() == [])
  }

  @Test func `what was left is finished and discarded without blocking`() async throws {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(700_000)
    let ids = try await (0..<2).asyncMap { _ in
      let capture = try await store.startCapture(kind: .voice)
      try await capture.append(bytes)
      try await capture.save()
      return capture.id
    }

    let row = try await store.finishCapture(ids[0])
    try await store.discardCapture(ids[1])

    let content = try await store.content(of: row.id)
    #expect(content == bytes)
    #expect(try await store.captures() == [])
    #expect(await errorCode { try await store.finishCapture(ids[1]) } == .notFound)
  }

  @Test func `what was left in a form that nobody knows is kept as what it is said to be`()
    async throws
  {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(700_000)
    let ids = try await (0..<2).asyncMap { _ in
      let capture = try await store.startCapture()
      try await capture.append(bytes)
      try await capture.save()
      return capture.id
    }
    await #expect(errorCode { try await store.finishCapture(ids[0]) } == .unsupportedContent)

    let first = try await store.finishCapture(ids[0], kind: .voice)
    let second = try await store.finishCapture(ids[1], kind: .image)

    #expect(first.kind == .voice && second.kind == .image)
    #expect(first.mediaType == "application/octet-stream")
    #expect(try await store.content(of: first.id) == bytes)
  }

  @Test func `a capture that is half discarded goes with the next that is saved`() async throws {
    let store = try TemporaryStore.open()
    let capture = try await store.startCapture(kind: .voice)
    try await capture.append(Samples.bytes(600_000))
    try await capture.save()
    // As a crash leaves it that comes before the first of its chunks is taken away.
    try await store.connections.write(to: "discard") { [id = capture.id] db in
      try CaptureStatements(db: db).discard(id)
    }

    try await store.save(contentsOf: [SnippetDraft(.text("a"))])

    #expect(try store.rowCount(of: "blob_chunk") == 0)
    #expect(try store.rowCount(of: "staged_blob") == 0)
  }

  @Test(arguments: ["0", "-1", "9223372036854775807"])
  func `an impossible size of chunks is damage, and no trap`(_ size: String) async throws {
    let file = TemporaryDirectory.file("damaged.sqlite")
    let store = try SnippetStore(at: file)
    _ = try await Shell.sqlite3(
      file,
      """
      PRAGMA ignore_check_constraints = ON;
      INSERT INTO blob (sha256, byte_count, chunk_size) VALUES (randomblob(32), 1, 1);
      DELETE FROM blob;
      INSERT INTO staged_blob (id, uuid, chunk_size) VALUES (1, randomblob(16), \(size));
      INSERT INTO capture (id) VALUES (1)
      """
    )

    await #expect(errorCode { try await store.captures() } == .damaged)
    await #expect(
      errorCode { try await store.finishCapture(CaptureID(rawValue: 1)) } == .damaged
    )
    try await store.close()
  }

  @Test func `a capture that nobody waits for any more is left as it was`() async throws {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(1_500_000)
    let id = try await {
      let capture = try await store.startCapture(kind: .voice)
      try await capture.append(bytes)
      try await capture.save()
      return capture.id
    }()
    // The last reference to it goes with the thread that saved it.
    while try await store.captures().first?.isInProgress == true { await Task.yield() }
    // So that it is noticed between two pieces of the bytes, not only before the first.
    var asked = 0
    let before = try await store.captures()

    let finish = CaptureFinish(
      connections: store.connections,
      blobReaders: store.blobReaders,
      now: Samples.date,
      operation: "finish capture \(id)",
      check: {
        asked += 1
        if asked == 3 { throw CancellationError() }
      }
    )

    #expect(errorCode { try finish.run(try #require(before.first), sha256: nil) } == .cancelled)
    #expect(asked == 3)
    #expect(try await store.captures() == before)
    let row = try await store.finishCapture(id)
    #expect(row.byteCount == 1_500_000)
  }

  // test                         append
  //                              waits for the writer
  // reads the number of bytes
  @Test func `the number of bytes is known while others keep the writer`() async throws {
    let store = try TemporaryStore.open { $0.busyTimeout = .seconds(60) }
    let capture = try await store.startCapture(kind: .voice)
    let file = TemporaryDirectory.file("store.sqlite")
    let hold = await Hold { hold in
      try DatabaseQueue(path: file.path).inTransaction(.immediate) { _ in
        hold()
        return .rollback
      }
    }
    async let append: Void = capture.append(Samples.bytes(300_000))

    while capture.byteCount == 0 { await Task.yield() }

    #expect(capture.byteCount == 300_000)
    try await hold.end()
    try await append
    try await capture.cancel()
  }

  @Test func `what has filled a chunk is durable at once`() async throws {
    let store = try TemporaryStore.open()
    let capture = try await store.startCapture(kind: .voice)

    try await capture.append(Samples.bytes(262_143))
    #expect(try await store.captures().map(\.byteCount) == [0])
    try await capture.append(Samples.bytes(10))
    #expect(try await store.captures().map(\.byteCount) == [262_153])
    try await capture.cancel()
  }

  @Test func `a check knows captures, and a backup takes them along`() async throws {
    let store = try TemporaryStore.open()
    let capture = try await store.startCapture(kind: .voice)
    try await capture.append(Samples.bytes(600_000))
    try await capture.save()
    let backup = TemporaryDirectory.file("backup.sqlite")

    let report = try await store.check()
    try await store.backUp(to: backup)

    #expect(report.problems == [])
    let copy = try TemporaryStore.open("backup.sqlite")
    #expect(try await copy.captures().map(\.byteCount) == [600_000])
    try await capture.cancel()
  }

  @Test func `a process is known by more than its number`() {
    #expect(ProcessMark.isRunning(ProcessMark.own))
    #expect(!ProcessMark.isRunning(""))
    #expect(!ProcessMark.isRunning("\(Int32.max)"))
    #if os(Linux)
    #expect(!ProcessMark.isRunning("1 0"))
    #endif
  }
}
