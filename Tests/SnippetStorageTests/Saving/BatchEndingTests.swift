import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

/// What is left when a batch ends before its last draft.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BatchEndingTests {
  let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  // drafts        store                       test
  // 0…499 ──────▶ saved, reported
  // 500…699 ────▶ taken, not written
  // 700 ─────────────────────────────────────▶ cancels
  @Test func `cancelling keeps what was reported and nothing else`() async throws {
    let (store, canceller) = (store, Canceller())
    let (taken, told) = (Lock(0), Lock<[SnippetID]>([]))
    let drafts = GeneratedDrafts(2000) { index in
      taken.withLock { $0 = index }
      if index == 700 { canceller.cancel() }
      return SnippetDraft(.text("text \(index)"))
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await canceller.run {
        try await store.save(contentsOf: drafts) { event in
          if case .saved(_, let id, _) = event { told.withLock { $0.append(id) } }
        }
      }
    }

    #expect(error?.code == .cancelled)
    #expect(taken.withLock { $0 } == 700)
    #expect(told.withLock(\.count) == 500)
    #expect(
      try store.list(order: .oldestFirst).rows(in: 0..<9999).map(\.id) == told.withLock { $0 }
    )
  }

  @Test func `cancelling while a stream is read keeps what was reported`() async throws {
    let (store, canceller) = (store, Canceller())
    let told = Lock(0)
    let drafts = (0..<501).map { SnippetDraft(.text("text \($0)")) }
    let endless = SnippetDraft(
      .stream {
        canceller.cancel()
        return Data(count: 1)
      }
    )

    let error = await #expect(throws: SnippetStoreError.self) {
      try await canceller.run {
        try await store.save(contentsOf: drafts + [endless]) { event in
          if case .failed = event { Issue.record("a cancellation is no fault of a draft") }
          told.withLock { $0 += 1 }
        }
      }
    }

    #expect(error?.code == .cancelled)
    #expect(told.withLock { $0 } == 500)
    #expect(try store.list().count == 500)
  }

  // The writer is given no more pages than it needs for the first batches.
  @Test func `a full disk keeps the batches before and undoes the rest`() async throws {
    let told = Lock<[SnippetID]>([])
    let writer = try store.connections.writer(for: "test")
    try await writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA max_page_count = 6000")
    }
    let drafts = GeneratedDrafts(100) { number in
      Samples.image(Samples.bytes(64, seed: UInt64(number)) + Data(count: 1 << 20))
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(contentsOf: drafts) { event in
        if case .saved(_, let id, _) = event { told.withLock { $0.append(id) } }
      }
    }

    #expect(error?.code == .diskFull)
    #expect(told.withLock(\.count) == 32)
    #expect(try store.list(order: .oldestFirst).rows(in: 0..<99).map(\.id) == told.withLock { $0 })
    #expect(try await store.information().blobCount == 32)

    // Once there is room, everything works again.
    try await writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA max_page_count = 60000")
    }
    let report = try await store.save(contentsOf: drafts, skipsDuplicates: true)
    #expect(report.savedCount == 68)
    #expect(report.duplicateCount == 32)
  }

  // this store                 another one
  // 0…499 saved, reported
  // 600 taken ───────────────▶ begins to write
  // 999 taken, busy
  //                            ends
  @Test func `a busy store keeps the batches before and undoes the rest`() async throws {
    let store = try TemporaryStore.open { $0.busyTimeout = .milliseconds(1) }
    let other = try TemporaryStore.open().connections.writer(for: "test")
    let (begun, ended) = (Gate(), Gate())
    let (told, taken) = (Lock(0), Lock(0))
    let drafts = GeneratedDrafts(2000) { index in
      if index == 600 {
        other.asyncWriteWithoutTransaction { db in
          try? db.inTransaction(.immediate) {
            begun.open()
            ended.blockUntilOpen()
            return .rollback
          }
        }
        begun.blockUntilOpen()
      }
      taken.withLock { $0 = index }
      return SnippetDraft(.text("text \(index)"))
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(contentsOf: drafts) { _ in told.withLock { $0 += 1 } }
    }
    ended.open()

    #expect(error?.code == .busy)
    #expect(error?.isRetryable == true)
    #expect(told.withLock { $0 } == 500)
    #expect(taken.withLock { $0 } == 999)
    #expect(try store.list().count == 500)
  }
}
