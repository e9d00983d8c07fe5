import GRDB
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct CancellationTests {
  // holder             save
  // has the writer
  //                    waits for it
  //                    is cancelled
  // lets go
  //                    has left nothing
  @Test(arguments: QueuedWrite.all)
  fileprivate func `a write that is cancelled while it waits leaves nothing`(
    write: QueuedWrite
  ) async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello"), tags: ["a"]))
    let held = await Hold { hold in
      try store.connections.write(to: "hold the writer") { _ in hold() }
    }
    let isStarted = Gate()
    let task = Task {
      isStarted.open()
      try await write.run(store, row.id)
    }
    await isStarted.untilOpen()

    task.cancel()

    try await held.end()
    #expect(await errorCode { try await task.value } == .cancelled)
    #expect(try store.list().rows(in: 0..<9) == [row])
    #expect(try await store.information().blobCount == 0)
  }

  // save                                      canceller
  // is inside its transaction, has inserted
  //                                           cancels
  // ends
  @Test func `a write that is cancelled before its commit is undone`() async throws {
    let store = try TemporaryStore.open()
    let (hasInserted, mayEnd) = (Gate(), Gate())
    let task = Task {
      try await store.connections.write(to: "insert") { db in
        try db.execute(sql: "INSERT INTO snippet (kind) VALUES (1)")
        hasInserted.open()
        mayEnd.blockUntilOpen()
        try db.execute(sql: "INSERT INTO snippet (kind) VALUES (1)")
      }
    }
    defer { mayEnd.open() }
    await hasInserted.untilOpen()

    task.cancel()
    mayEnd.open()

    #expect(await errorCode { try await task.value } == .cancelled)
    #expect(try store.list().count == 0)
    let row = try await store.save(SnippetDraft(.text("hello")))
    #expect(try store.list().rows(in: 0..<9) == [row])
  }

  @Test func `a call of a cancelled task does nothing`() async throws {
    let store = try TemporaryStore.open()
    let subject = try await StoreCall.subject(in: store)
    let before = try store.list().rows(in: 0..<9)

    for call in StoreCall.asynchronous {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await call.run(on: subject)
      }

      let error = await #expect(throws: SnippetStoreError.self, "\(call.name)") {
        try await task.value
      }
      #expect(error?.code == .cancelled, "\(call.name)")
      #expect(error?.reason == "it was cancelled", "\(call.name)")
      #expect(error?.isRetryable == false, "\(call.name)")
      #expect(try store.list().rows(in: 0..<9) == before, "\(call.name)")
    }
  }

  @Test func `a search that is cancelled ends`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(contentsOf: (0..<3000).map { SnippetDraft(.text("text \($0)")) })
    let held = await Hold { hold in
      try store.connections.reader(.scans).unsafeRead { _ in hold() }
    }
    let isStarted = Gate()
    let task = Task {
      isStarted.open()
      return try await store.foundIDs("nowhere")
    }
    await isStarted.untilOpen()

    task.cancel()

    try await held.end()
    #expect(await errorCode { try await task.value } == .cancelled)
    let found = try await store.foundIDs("2999")
    #expect(found.count == 1)
  }
}

private struct QueuedWrite: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var run: @Sendable (SnippetStore, SnippetID) async throws -> Void

  static let all = [
    QueuedWrite(testDescription: "save a text") { store, _ in
      _ = try await store.save(SnippetDraft(.text("new")))
    },
    QueuedWrite(testDescription: "save an image") { store, _ in
      _ = try await store.save(Samples.image(Samples.bytes(1_000_000)))
    },
    QueuedWrite(testDescription: "save several") { store, _ in
      try await store.save(contentsOf: (0..<1000).map { SnippetDraft(.text("\($0)")) })
    },
    QueuedWrite(testDescription: "update") { store, id in
      try await store.apply(SnippetEdit(text: Samples.longText()), to: id)
    },
    QueuedWrite(testDescription: "delete") { store, id in try await store.delete([id]) },
  ]
}

extension StoreCall {
  fileprivate static let asynchronous = all.filter { !$0.blocks }
}
