import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct StoreInMemoryTests {
  @Test func `every call works in memory`() async throws {
    let store = try TemporaryStore.inMemory()

    for call in StoreCall.all {
      let subject = try await StoreCall.subject(in: store)
      await #expect(throws: Never.self, "\(call.name)") { try await call.run(on: subject) }
    }
  }

  @Test func `what concerns files is ignored`() async throws {
    let store = try TemporaryStore.inMemory(configuration: .init(access: .readOnly))

    _ = try await store.save(SnippetDraft(.text("hello")))

    #expect(store.url == nil)
    #expect(try store.list().count == 1)
  }

  @Test func `two stores in memory know nothing of each other`() async throws {
    let first = try TemporaryStore.inMemory()
    let second = try TemporaryStore.inMemory()

    _ = try await first.save(SnippetDraft(.text("hello")))

    #expect(try first.list().count == 1)
    #expect(try second.list().count == 0)
  }

  @Test func `nothing is written to the disk`() async throws {
    let store = try TemporaryStore.inMemory()

    _ = try await store.save(Samples.image(Samples.bytes(3_000_000)))

    let folder = TemporaryDirectory.current.url.path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
  }

  @Test func `a list follows what is saved`() async throws {
    let store = try TemporaryStore.inMemory()
    let list = store.list()
    #expect(try list.count == 0)

    let row = try await store.save(SnippetDraft(.text("hello")))
    #expect(try list.rows(in: 0..<9) == [row])

    let changed = try await store.apply(SnippetEdit(title: "other"), to: row.id)
    #expect(try list.rows(in: 0..<9) == [changed])

    try await store.delete([row.id])
    #expect(try list.count == 0)
  }
}
