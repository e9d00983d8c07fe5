import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ClosedStoreTests {
  @Test(arguments: [false, true])
  func `every call after closing says that the store is closed`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let subject = try await StoreCall.subject(in: store)
    try await store.close()

    for call in StoreCall.all {
      await call.expectRefusal(
        on: subject,
        .closed,
        because: "the store is closed",
        advice: "Open it again."
      )
    }
  }

  @Test(arguments: [false, true])
  func `closing again does nothing`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()

    try await store.close()

    try await store.close()
  }

  @Test func `a list made before closing says that the store is closed`() async throws {
    let store = try TemporaryStore.open()
    let list = store.list()
    #expect(try list.count == 0)

    try await store.close()

    #expect(errorCode { try list.count } == .closed)
  }

  @Test func `closing folds the log into the file`() async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(SnippetDraft(.text("hello")))

    try await store.close()

    let names = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.current.url.path
    )
    #expect(names == ["store.sqlite"])
  }

  // Many threads call while one closes: each call either works or says that the store is closed.
  @Test(arguments: [false, true])
  func `closing while others call traps nowhere`(isInMemory: Bool) async throws {
    for round in 0..<10 {
      let store =
        try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open("store-\(round).sqlite")
      let id = try await store.save(SnippetDraft(.text("hello"))).id

      let codes = try await Threads.atOnce(5) { number -> [SnippetStoreError.Code] in
        guard number > 0 else {
          try await store.close()
          return []
        }
        let codes = await (0..<20).asyncMap { _ -> SnippetStoreError.Code? in
          do {
            switch number {
            case 1: _ = try await store.save(SnippetDraft(.text("new")))
            case 2: _ = try store.list().rows(in: 0..<9)
            case 3: _ = try await store.content(of: id)
            default: _ = try await store.information()
            }
            return nil
          } catch {
            return (error as? SnippetStoreError)?.code ?? .failed
          }
        }
        return codes.compactMap { $0 }
      }

      #expect(Set(codes.joined()).isSubset(of: [.closed]))
    }
  }
}
