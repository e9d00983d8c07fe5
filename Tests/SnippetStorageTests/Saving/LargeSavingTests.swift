import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

/// Content of more than a step is written in steps, ahead of its row.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LargeSavingTests {
  private static let step = BlobStaging.stepByteCount

  @Test(
    arguments: StorePlace.allCases,
    [step, step + 1, 2 * step, 2 * step + BlobChunks.size, 2 * step + 300_001]
  )
  func `content of some steps is what it was`(_ place: StorePlace, _ byteCount: Int) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(byteCount)

    let row = try await store.save(Samples.voice(bytes))

    let content = try await store.content(of: row.id)
    #expect(content == bytes)
    #expect(row.byteCount == Int64(byteCount))
    try expectNothingStaged(store)
  }

  @Test(arguments: Source.allCases, [false, true])
  func `it may come from anywhere`(_ source: Source, _ isInBatch: Bool) async throws {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(2 * Self.step + 5)
    let draft = SnippetDraft(
      try await source.content(bytes),
      kind: .voice,
      mediaType: "audio/x-sample"
    )

    if isInBatch {
      try await store.save(contentsOf: [SnippetDraft(.text("a")), draft, SnippetDraft(.text("b"))])
    } else {
      try await store.save(draft)
    }

    let row = try #require(try store.list().rows(in: 0..<3).first { $0.kind == .voice })
    let content = try await store.content(of: row.id)
    #expect(content == bytes)
    try expectNothingStaged(store)
  }

  // saving                        another store, which waits for a step at most
  // writes some of the steps ───▶ saves, sees no capture, collects garbage
  // goes on
  @Test(arguments: [false, true])
  func `others write meanwhile, and nobody sees it`(_ isInBatch: Bool) async throws {
    let store = try TemporaryStore.open()
    let other = try TemporaryStore.open()
    let times = Lock(0)
    let source = ChangingBytes(nil, size: 3 * Self.step) {
      let time = times.withLock { times in
        times += 1
        return times
      }
      do {
        try Threads.wait { try await other.save(SnippetDraft(.text("meanwhile \(time)"))) }
        let (recordings, information) = try Threads.wait {
          (try await other.captures(), try await other.information())
        }
        #expect(recordings == [])
        #expect(information.captureCount == 0)
        #expect(information.blobCount == 0)
        #expect(try other.rowCount(of: "captures") == 0)
        #expect(try other.rowCount(of: "staged_blob") == 1)
        let number = try #require(try numbers(of: "staged_blob", in: other).first)
        let id = CaptureID(rawValue: number)
        try Threads.wait { try await other.discardCapture(id) }
        #expect(
          errorCode { try Threads.wait { try await other.finishCapture(id) } } == .notFound
        )
      } catch {
        Issue.record(error)
      }
    }

    try await save(draft(source), in: store, isInBatch)

    #expect(times.withLock { $0 } == 3)
    #expect(try store.list().count == 4)
    try expectNothingStaged(store)
  }

  @Test func `what is being saved is no garbage, and comes into no backup`() async throws {
    let store = try TemporaryStore.open()
    let (paused, resumed) = (Gate(), Gate())
    let source = ChangingBytes(nil, size: 2 * Self.step) {
      paused.open()
      resumed.blockUntilOpen()
    }
    let saving = Task { try await store.save(draft(source)) }
    await paused.untilOpen()
    let backup = TemporaryDirectory.file("backup.sqlite")

    let garbage = try await store.collectGarbage()
    try await store.backUp(to: backup)
    resumed.open()

    #expect(garbage.isClean)
    let row = try await saving.value
    #expect(row.byteCount == Int64(2 * Self.step))
    let copy = try TemporaryStore.open("backup.sqlite")
    try expectNothingStaged(copy)
    #expect(try await copy.information().freeByteCount == 0)
  }

  @Test(arguments: ChangingBytes.Change.allCases, [false, true])
  func `of content that changes meanwhile nothing is kept`(
    _ change: ChangingBytes.Change,
    _ isInBatch: Bool
  ) async throws {
    let store = try TemporaryStore.open()
    let codes = Lock<[SnippetStoreError.Code]>([])
    let bytes = draft(ChangingBytes(change, size: 3 * Self.step))

    if isInBatch {
      let report = try await store.save(contentsOf: [bytes, SnippetDraft(.text("a"))]) { event in
        if case .failed(_, let error) = event { codes.withLock { $0.append(error.code) } }
      }
      #expect(report.savedCount == 1)
    } else {
      do { try await store.save(bytes) } catch { codes.withLock { $0.append(error.code) } }
    }

    #expect(codes.withLock { $0 } == [change.code])
    #expect(try store.rowCount(of: "blob_chunk") == 0)
    try expectNothingStaged(store)
  }

  @Test(arguments: [false, true])
  func `of content whose saving is cancelled nothing is kept`(_ isInBatch: Bool) async throws {
    let (store, canceller) = (try TemporaryStore.open(), Canceller())
    let source = ChangingBytes(nil, size: 3 * Self.step) { canceller.cancel() }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await canceller.run { try await save(draft(source), in: store, isInBatch) }
    }

    #expect(error?.code == .cancelled)
    // One step may be read ahead of the one that is written.
    #expect(source.bytesReadTwice <= Int64(2 * Self.step))
    #expect(try store.rowCount(of: "blob_chunk") == 0)
    try expectNothingStaged(store)
  }

  @Test func `what the store has is not written again`() async throws {
    let store = try TemporaryStore.open()
    let first = try await store.save(draft(ChangingBytes(nil, size: 2 * Self.step)))
    let source = ChangingBytes(nil, size: 2 * Self.step)

    let second = try await store.save(draft(source))

    #expect(source.bytesReadTwice == 0)
    #expect(second.blobID == first.blobID)
    #expect(try await store.information().blobCount == 1)
  }

  // saving                  another store
  // writes the first step ▶ saves the same bytes
  // goes on to the end
  @Test(arguments: [false, true])
  func `bytes that come into the store meanwhile are kept once`(_ isInBatch: Bool) async throws {
    let (store, other) = (try TemporaryStore.open(), try TemporaryStore.open())
    let isFirst = Lock(true)
    let source = ChangingBytes(nil, size: 2 * Self.step) {
      guard
        isFirst.withLock({ first in
          defer { first = false }
          return first
        })
      else { return }
      do {
        try Threads.wait { try await other.save(draft(ChangingBytes(nil, size: 2 * Self.step))) }
      } catch {
        Issue.record(error)
      }
    }

    try await save(draft(source), in: store, isInBatch)

    #expect(try store.list().count == 2)
    #expect(try await store.information().blobCount == 1)
    #expect(try store.rowCount(of: "blob_chunk") == Int64(2 * Self.step / BlobChunks.size))
    try expectNothingStaged(store)
  }

  @Test func `a draft that cannot be saved with it leaves it to be saved alone`() async throws {
    let store = try TemporaryStore.open()
    let uuid = UUID()
    try await store.save(SnippetDraft(.text("first"), uuid: uuid))

    let report = try await store.save(contentsOf: [
      SnippetDraft(.text("second"), uuid: uuid), draft(ChangingBytes(nil, size: 2 * Self.step)),
    ])

    #expect(report.savedCount == 1)
    #expect(report.failedCount == 1)
    #expect(try await store.information().blobByteCount == Int64(2 * Self.step))
    try expectNothingStaged(store)
  }

  @Test(arguments: StorePlace.allCases)
  func `a text is replaced by a long one`(_ place: StorePlace) async throws {
    let store = try place.open()
    let row = try await store.save(SnippetDraft(.text("short")))
    let text = String(repeating: "A line of a long text.\n", count: 500_000)

    let changed = try await store.apply(SnippetEdit(text: text), to: row.id)

    #expect(changed.byteCount == Int64(text.utf8.count))
    #expect(try await store.text(of: row.id) == text)
    try expectNothingStaged(store)
  }

  enum End: CaseIterable { case anotherSave, aBatch, garbageCollection }

  // The process that saves is killed when it reads the last of four steps: two are written, and the
  // third may be.
  @Test(arguments: End.allCases)
  func `what a crash leaves of it is taken away`(_ end: End) async throws {
    let file = TemporaryDirectory.file("store.sqlite")
    try await SnippetStore(at: file).close()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = file.path as String] in
      let count = Lock(0)
      let source = ChangingBytes(nil, size: 4 * BlobStaging.stepByteCount) {
        let isLast = count.withLock { count in
          count += 1
          return count == 4
        }
        if isLast { raise(SIGKILL) }
      }
      let store = try SnippetStore(at: URL(fileURLWithPath: path))
      try await store.save(draft(source))
    }
    let store = try TemporaryStore.open()
    let left = try store.rowCount(of: "blob_chunk")
    #expect([2, 3].contains(left / Int64(Self.step / BlobChunks.size)))
    #expect(try await store.captures() == [])
    #expect(try await store.check().problems == [])

    switch end {
    case .anotherSave:
      try await store.save(Samples.voice(Samples.bytes(Self.step + 1)))
      #expect(try store.rowCount(of: "blob_chunk") == Int64(Self.step / BlobChunks.size + 1))
    case .aBatch:
      try await store.save(contentsOf: [SnippetDraft(.text("a"))])
      #expect(try store.rowCount(of: "blob_chunk") == 0)
    case .garbageCollection:
      #expect(try await store.collectGarbage().chunkCount == Int(left))
      #expect(try store.rowCount(of: "blob_chunk") == 0)
      #expect(try await store.information().freeByteCount == 0)
    }
    try expectNothingStaged(store)
  }

  private func save(
    _ draft: SnippetDraft,
    in store: SnippetStore,
    _ isInBatch: Bool
  ) async throws {
    if isInBatch {
      try await store.save(contentsOf: [draft])
    } else {
      try await store.save(draft)
    }
  }

  private func expectNothingStaged(_ store: SnippetStore) throws {
    #expect(try store.rowCount(of: "staged_blob") == 0)
    #expect(
      try numbers(of: "blob_chunk", in: store).allSatisfy { number in
        try numbers(of: "blob", in: store).contains(number >> 20)
      }
    )
  }
}

private func draft(_ source: any ByteSource) -> SnippetDraft {
  SnippetDraft(
    SnippetContent(source: .collected(source)),
    kind: .image,
    mediaType: "image/x-sample"
  )
}

private func numbers(of table: String, in store: SnippetStore) throws -> [Int64] {
  try store.connections.read(.scans, to: "count") { db in
    try Int64.fetchAll(db, sql: "SELECT id FROM \(table) ORDER BY id")
  }
}
