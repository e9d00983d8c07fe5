import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BlobReadersTests {
  // first reader      second reader     checkpoint
  // is held
  //                   reads
  //                   reads again
  //                                     has all of the log
  @Test func `a reader that is free is chosen, and no read leaves a snapshot behind`() async throws
  {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(9_000_000)
    let blob = try #require(try await store.save(Samples.image(bytes)).blobID)
    // It is open, and nothing is read.
    let held = await Hold { hold in try store.blobReaders.withConnection { _ in hold() } }

    for _ in 0..<3 {
      let (one, several) = (try await store.content(of: blob), try await store.content(of: [blob]))
      #expect(one == bytes)
      #expect(several[blob] == bytes)
      _ = try await store.save(SnippetDraft(.text("written meanwhile")))
      #expect(try CheckpointedLog(of: store) == .empty)
    }
    try await held.end()
  }

  // first reader          second reader
  // is reserved, unopened
  //                       is opened, and reads
  // is given up, unopened
  //                       reads again
  @Test func `an idle reader that is open is chosen before another is opened`() throws {
    let store = try TemporaryStore.open()
    func handleOfReader() throws -> OpaquePointer {
      try store.blobReaders.withConnection { try $0.handle }
    }
    let reserved = try #require(store.blobReaders.reserveIdle())
    let opened = try handleOfReader()
    store.blobReaders.release(reserved)

    #expect(try handleOfReader() == opened)
    let idle = try #require(store.blobReaders.reserveIdle())
    #expect(try store.blobReaders.withConnection(idle) { try $0.handle } == opened)
    store.blobReaders.release(idle)
  }

  @Test func `short ranges have a connection of their own, and another while it is busy`() throws {
    let readers = try TemporaryStore.open().blobReaders
    let whole = try readers.withConnection(forPartOf: nil) { try $0.handle }
    let long = try readers.withConnection(forPartOf: 0..<1 << 20) { try $0.handle }
    let short = try readers.withConnection(forPartOf: 0..<4096) { connection in
      let second = try readers.withConnection(forPartOf: 0..<4096) { try $0.handle }
      #expect(second == whole)
      return try connection.handle
    }

    #expect(long == whole)
    #expect(short != whole)
    #expect(try readers.withConnection(forPartOf: 9..<10) { try $0.handle } == short)
  }

  @Test func `who reads when the store is closed is let finish, who comes later is not`()
    async throws
  {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(3_000_000)
    let blob = try #require(try await store.save(Samples.image(bytes)).blobID)

    let read = try store.blockingContent(of: blob) { _ in
      store.blobReaders.refuseCalls()
      #expect(errorCode { try store.blockingContent(of: blob) { _ in } } == .closed)
    }

    #expect(read == bytes)
  }

  // caller                      closer
  // reads the first MiB
  //                             closes, and waits
  // reads the rest
  //                             is done
  @Test func `closing waits for a read under way`() async throws {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(9_000_000)
    let blob = try #require(try await store.save(Samples.image(bytes)).blobID)
    let (isReading, mayGoOn) = (Gate(), Gate())
    async let read = Threads.run {
      try store.blockingContent(of: blob) { _ in
        isReading.open()
        mayGoOn.blockUntilOpen()
      }
    }
    await isReading.untilOpen()

    async let closed: Void = store.close()
    mayGoOn.open()

    #expect(try await read == bytes)
    try await closed
    #expect(await errorCode { try await store.content(of: blob) } == .closed)
  }

  @Test(arguments: [0, 1, 2])
  func `who waits for a blob is asked between two MiB, and may end the reading`(
    lastCheck: Int
  ) async throws {
    let store = try TemporaryStore.open()
    let bytes = Samples.bytes(3_000_000)
    let blob = try #require(try await store.save(Samples.image(bytes)).blobID)
    var sizes: [Int64] = []

    #expect(throws: Enough.self) {
      try store.blockingContent(of: blob) { byteCount in
        sizes.append(byteCount)
        if sizes.count > lastCheck { throw Enough() }
      }
    }

    #expect(sizes == Array(repeating: 3_000_000, count: lastCheck + 1))
  }

  // The deletion returns on one thread before the read begins on another.
  @Test(arguments: StorePlace.allCases)
  func `what was deleted is gone for every reader at once`(_ place: StorePlace) async throws {
    let store = try place.open()
    for number in 0..<40 {
      let row = try await store.save(Samples.image(Samples.bytes(5000, seed: UInt64(number))))
      let blob = try #require(row.blobID)
      let counts = try await Threads.atOnce(4) { _ in try await store.content(of: blob).count }
      #expect(counts == [5000, 5000, 5000, 5000])

      try await store.delete([row.id])

      let codes = try await Threads.atOnce(4) { _ in
        await errorCode { try await store.content(of: blob) }
      }
      #expect(codes == [.notFound, .notFound, .notFound, .notFound])
    }
  }

  @Test func `a file on another machine is not mapped, one on this is`() {
    #expect(!NetworkFileSystem.holds(TemporaryDirectory.current.url.path))
    #expect(!NetworkFileSystem.holds("/nowhere"))
    #if os(Linux)
    for kind in [
      0x6969, 0xFF53_4D42, 0x6573_5546, 0xBACB_ACBC, 0x1983_0326,
    ] as [UInt32] {
      #expect(NetworkFileSystem.kinds.contains(kind))
    }
    // An encrypted home is on this machine.
    #expect(NetworkFileSystem.kinds.isDisjoint(with: NetworkFileSystem.stackedKinds))
    #endif
  }
}

private struct Enough: Error {}
