import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(10)))
struct RecordingTests {
  @Test(arguments: StorePlace.allCases, [1, 262_143, 262_144, 262_145, 1_048_577, 2_800_000])
  func `pieces of any size become one snippet`(_ place: StorePlace, _ byteCount: Int) throws {
    var random = SeededGenerator()
    let store = try place.open()
    let bytes = Samples.bytes(byteCount)
    let recording = try store.startRecording(
      title: "A  thought",
      tags: ["voice", "Voice", "car"],
      kind: .voice,
      mediaType: "audio/x-sample"
    )
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = random.element(of: [0, 1, 17, 4096, 262_144, 300_000, 900_000])
      try recording.append(rest.prefix(count))
      rest = rest.dropFirst(count)
    }
    #expect(recording.byteCount == Int64(byteCount))

    let row = try recording.finish()

    #expect(row.title == "A thought")
    #expect(row.tags == ["car", "voice"])
    #expect(row.kind == .voice)
    #expect(row.mediaType == "audio/x-sample")
    #expect(row.byteCount == Int64(byteCount))
    #expect(try store.content(of: row.id) == bytes)
    #expect(try store.recordings() == [])
    #expect(
      errorCode {
        try recording.append(Data([1])); try recording.save()
      } == .notFound
    )
    #expect(errorCode { try recording.finish() } == .notFound)
  }

  @Test(arguments: StorePlace.allCases)
  func `what is recorded is told by its bytes`(_ place: StorePlace) throws {
    let store = try place.open()
    func record(_ bytes: Data, kind: SnippetKind? = nil) throws -> SnippetRow {
      let recording = try store.startRecording(kind: kind)
      try recording.append(bytes)
      return try recording.finish()
    }

    let wave = try record(Samples.wav(frameCount: 2_000_000))
    let short = try record(Data("Milk, eggs\nbread".utf8))
    let long = try record(Data(Samples.longText().utf8))
    let unknown = try record(Samples.bytes(1_500_000), kind: .voice)

    #expect(wave.facts.duration == .seconds(250))
    #expect(short.title == "Milk, eggs")
    #expect(short.blobID == nil)
    #expect(try store.text(of: long.id) == Samples.longText())
    #expect(unknown.mediaType == "application/octet-stream")
    #expect(try store.recordings() == [])
  }

  @Test(arguments: StorePlace.allCases)
  func `bytes that the store has are not kept twice`(_ place: StorePlace) throws {
    let store = try place.open()
    let bytes = Samples.bytes(2_800_000)
    let saved = try store.save(Samples.voice(bytes))
    let recording = try store.startRecording(kind: .voice)
    try recording.append(bytes)

    let row = try recording.finish()

    #expect(row.blobID == saved.blobID)
    #expect(try store.information().blobCount == 1)
    #expect(try count("blob_chunk", in: store) == 11)
    #expect(try count("recording", in: store) == 0)
  }

  @Test(arguments: StorePlace.allCases)
  func `a recording that is finished takes the writer no longer for its size`(
    _ place: StorePlace
  ) throws {
    let store = try place.open()
    let recording = try store.startRecording(kind: .voice)
    try recording.append(Samples.bytes(9_000_000))
    try recording.save()
    let before = try count("blob_chunk", in: store)

    let row = try recording.finish()

    // Its chunks are where they were: the blob has the number of the recording.
    #expect(before == 34)
    #expect(try count("blob_chunk", in: store) == 35)
    #expect(row.blobID?.rawValue == recording.id.rawValue)
  }

  @Test(arguments: StorePlace.allCases)
  func `a recording that is cancelled leaves nothing`(_ place: StorePlace) throws {
    let store = try place.open()
    let recording = try store.startRecording()
    try recording.append(Samples.bytes(17_000_000))

    try recording.cancel()
    try recording.cancel()

    #expect(try store.recordings() == [])
    #expect(try count("blob_chunk", in: store) == 0)
    #expect(try count("recording", in: store) == 0)
    #expect(errorCode { try recording.finish() } == .notFound)
  }

  @Test func `nothing is no snippet, and stays to be cancelled`() throws {
    let store = try TemporaryStore.open()
    let recording = try store.startRecording()

    #expect(errorCode { try recording.finish() } == .unsupportedContent)
    #expect(try store.recordings().count == 1)
    try recording.cancel()
    #expect(try store.recordings() == [])
  }

  // recorder                    somebody else, on the same file
  // appends, saves
  //                             sees it in progress, and may not touch it
  // is let go of
  //                             finishes it
  @Test func `who is let go of leaves a recording that any store can finish`() throws {
    let store = try TemporaryStore.open()
    let other = try TemporaryStore.open()
    let bytes = Samples.bytes(600_000)
    var recording: Recording? = try store.startRecording(title: "left", kind: .voice)
    let id = try #require(recording?.id)
    try recording?.append(bytes)
    try recording?.save()

    #expect(try other.recordings().map(\.isInProgress) == [true])
    #expect(try other.recordings().map(\.byteCount) == [600_000])
    #expect(errorCode { try other.finishRecording(id) } == .busy)
    #expect(errorCode { try other.discardRecording(id) } == .busy)
    recording = nil

    #expect(try other.recordings().map(\.isInProgress) == [false])
    let row = try other.finishRecording(id)
    #expect(try store.content(of: row.id) == bytes)
    #expect(row.title == "left")
    #expect(errorCode { try other.finishRecording(id) } == .notFound)
    try other.discardRecording(id)
  }

  @Test(arguments: StorePlace.allCases)
  func `the asynchronous forms record the same`(_ place: StorePlace) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(700_000)
    let recording = try store.startRecording(kind: .voice)
    let cancelled = try store.startRecording()
    try await cancelled.append(bytes)

    for start in stride(from: 0, to: bytes.count, by: 70_000) {
      try await recording.append(bytes[start..<start + 70_000])
    }
    try await recording.save()
    let row = try await recording.finish()
    try await cancelled.cancel()

    let content = try await store.content(of: row.id)
    #expect(content == bytes)
    #expect(try store.recordings() == [])
  }

  @Test func `what was left is finished and discarded without blocking`() async throws {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(700_000)
    let ids = try (0..<2).map { _ in
      let recording = try store.startRecording(kind: .voice)
      try recording.append(bytes)
      try recording.save()
      return recording.id
    }

    let row = try await store.finishRecording(ids[0])
    try await store.discardRecording(ids[1])

    let content = try await store.content(of: row.id)
    #expect(content == bytes)
    #expect(try store.recordings() == [])
    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.finishRecording(ids[1])
    }
    #expect(error?.code == .notFound)
  }

  @Test func `what was left in a form that nobody knows is kept as what it is said to be`()
    async throws
  {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(700_000)
    let ids = try (0..<2).map { _ in
      let recording = try store.startRecording()
      try recording.append(bytes)
      try recording.save()
      return recording.id
    }
    #expect(errorCode { try store.finishRecording(ids[0]) } == .unsupportedContent)

    let first = try store.blockingFinish(ids[0], .voice)
    let second = try await store.finishRecording(ids[1], kind: .image)

    #expect(first.kind == .voice && second.kind == .image)
    #expect(first.mediaType == "application/octet-stream")
    #expect(try await store.content(of: first.id) == bytes)
  }

  @Test func `a recording that is half discarded goes with the next that is saved`() async throws {
    let store = try TemporaryStore.open()
    let recording = try store.startRecording(kind: .voice)
    try await recording.append(Samples.bytes(600_000))
    try await recording.save()
    // As a crash leaves it that comes before the first of its chunks is taken away.
    try await store.connections.write(to: "discard") { [id = recording.id] db in
      try RecordingStatements(db: db).discard(id)
    }

    try await store.save(contentsOf: [SnippetDraft(.text("a"))])

    #expect(try count("blob_chunk", in: store) == 0)
    #expect(try count("recording", in: store) == 0)
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
      INSERT INTO recording (id, uuid, chunk_size) VALUES (1, randomblob(16), \(size))
      """
    )

    #expect(errorCode { try store.recordings() } == .damaged)
    #expect(errorCode { try store.finishRecording(RecordingID(rawValue: 1)) } == .damaged)
    try store.close()
  }

  @Test func `a recording that nobody waits for any more is left as it was`() async throws {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(1_500_000)
    let id = try {
      let recording = try store.startRecording(kind: .voice)
      try recording.append(bytes)
      try recording.save()
      return recording.id
    }()
    // So that it is noticed between two pieces of the bytes, not only before the first.
    var asked = 0
    let before = try store.recordings()

    let finish = RecordingFinish(
      connections: store.connections,
      now: Samples.date,
      operation: "finish recording \(id)",
      check: {
        asked += 1
        if asked == 3 { throw CancellationError() }
      }
    )
    let error = #expect(throws: SnippetStoreError.self) {
      try finish.run(try #require(before.first), sha256: nil)
    }

    #expect(error?.code == .cancelled)
    #expect(asked == 3)
    #expect(try store.recordings() == before)
    let row = try store.blockingFinish(id)
    #expect(row.byteCount == 1_500_000)
  }

  @Test func `what has filled a chunk is durable at once`() throws {
    let store = try TemporaryStore.open()
    let recording = try store.startRecording(kind: .voice)

    try recording.append(Samples.bytes(262_143))
    #expect(try store.recordings().map(\.byteCount) == [0])
    try recording.append(Samples.bytes(10))
    #expect(try store.recordings().map(\.byteCount) == [262_153])
    try recording.cancel()
  }

  @Test func `a check knows recordings, and a backup takes them along`() async throws {
    let store = try TemporaryStore.open()
    let recording = try store.startRecording(kind: .voice)
    try await recording.append(Samples.bytes(600_000))
    try await recording.save()
    let backup = TemporaryDirectory.file("backup.sqlite")

    let report = try await store.check()
    try await store.backUp(to: backup)

    #expect(report.problems == [])
    let copy = try TemporaryStore.open("backup.sqlite")
    #expect(try copy.recordings().map(\.byteCount) == [600_000])
    try await recording.cancel()
  }

  @Test func `a process is known by more than its number`() {
    #expect(ProcessMark.isRunning(ProcessMark.own))
    #expect(!ProcessMark.isRunning(""))
    #expect(!ProcessMark.isRunning("\(Int32.max)"))
    #if os(Linux)
    #expect(!ProcessMark.isRunning("1 0"))
    #endif
  }

  private func count(_ table: String, in store: SnippetStore) throws -> Int64 {
    try store.connections.read(.scans, to: "count") { db in
      try Int64.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? -1
    }
  }
}

extension SnippetStore {
  /// Takes the blocking form of a call in asynchronous code.
  fileprivate func blockingFinish(
    _ id: RecordingID,
    _ kind: SnippetKind? = nil
  ) throws -> SnippetRow {
    try finishRecording(id, kind: kind)
  }
}
