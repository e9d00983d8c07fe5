import Foundation
import GRDB
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SnapshotTests {
  // reader                    writer
  // has begun to read
  //                           saves, and is done
  // still sees the old state
  // ends
  // sees the new one
  @Test func `a reader sees one state while a writer commits`() async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(SnippetDraft(.text("first")))
    let (hasBegun, mayGoOn) = (Gate(), Gate())
    async let counts = Threads.run {
      try store.connections.read(.scans, to: "count twice") { db in
        let before = try Int.fetchOne(db, sql: "SELECT count(*) FROM snippet")
        hasBegun.open()
        mayGoOn.blockUntilOpen()
        return [before, try Int.fetchOne(db, sql: "SELECT count(*) FROM snippet")]
      }
    }
    defer { mayGoOn.open() }
    await hasBegun.untilOpen()

    _ = try await store.save(SnippetDraft(.text("second")))
    #expect(try store.list().count == 2)
    mayGoOn.open()

    #expect(try await counts == [1, 1])
    #expect(try await store.information().snippetCounts[.text] == 2)
  }

  // writer                                  reader
  // has written, has not committed
  //                                         reads the old state, without waiting
  // commits
  //                                         reads the new one
  @Test func `nobody waits for a writer to read`() async throws {
    let store = try TemporaryStore.open()
    let subject = try await StoreCall.subject(in: store)
    let writing = await Hold { hold in
      try store.connections.write(to: "delete all") { db in
        try db.execute(sql: "DELETE FROM snippet")
        hold()
      }
    }

    for call in StoreCall.reading { try await call.run(on: subject) }
    #expect(try store.list().count == 1)

    try await writing.end()
    #expect(try store.list().count == 0)
  }

  // blobs            scans            lists
  // are held         are held
  //                                   are read
  @Test func `lists and rows never wait for blobs, searches and checks`() async throws {
    let store = try TemporaryStore.open()
    let subject = try await StoreCall.subject(in: store)
    let mayEnd = Gate()
    let held = (0..<3).map { _ in Gate() }
    for (number, isHolding) in held.enumerated() {
      Thread.detachNewThread {
        func hold() {
          isHolding.open()
          mayEnd.blockUntilOpen()
        }
        // Each is open, and nothing is read.
        if number == 0 {
          try? store.connections.reader(.scans).unsafeRead { _ in hold() }
        } else {
          try? store.blobReaders.withConnection { _ in hold() }
        }
      }
    }
    defer { mayEnd.open() }
    for isHolding in held { await isHolding.untilOpen() }

    let list = store.list()
    #expect(try list.count == 1)
    #expect(try list.row(at: 0)?.id == subject.snippet)
    #expect(try store.row(subject.snippet)?.id == subject.snippet)
    let saved = try await store.save(SnippetDraft(.text("new")))
    #expect(try list.position(of: saved.id) == 0)
  }

  @Test func `many tasks write and read at once, and nothing is lost or torn`() async throws {
    let store = try TemporaryStore.open()
    try await withThrowingTaskGroup { group in
      for number in 0..<8 {
        group.addTask {
          for index in 0..<15 {
            let bytes = Samples.bytes(400_000, seed: UInt64(number % 4 * 100 + index))
            let row = try await store.save(Samples.image(bytes, tags: ["t\(number)"]))
            let content = try await store.content(of: row.id)
            #expect(content == bytes)
            try await store.apply(SnippetEdit(title: "\(number) \(index)"), to: row.id)
            if index % 3 == 0 { try await store.delete([row.id]) }
          }
        }
      }
      try await group.waitForAll()
    }

    #expect(try store.list().count == 80)
    #expect(try await store.information().blobCount == 40)
  }
}
