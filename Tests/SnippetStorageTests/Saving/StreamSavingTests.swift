import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct StreamSavingTests {
  let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test(arguments: [0, 1, 40])
  func `what a stream throws is the cause of the failure`(_ pieceCount: Int) async throws {
    let left = Lock(pieceCount)
    let content = SnippetContent.stream {
      let isOver = left.withLock { left in
        left -= 1
        return left < 0
      }
      if isOver { throw BrokenStream(number: 7) }
      return Data(repeating: 1, count: 100_000)
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(SnippetDraft(content, kind: .voice, mediaType: "audio/x-sample"))
    }

    #expect(error?.code == .failed)
    #expect(error?.underlyingError as? BrokenStream == BrokenStream(number: 7))
    #expect(try store.list().count == 0)
    #expect(try await store.information().blobCount == 0)
  }

  @Test func `a failure has the words that the error of a stream has for people`() async throws {
    struct NetworkIsDown: LocalizedError {
      var errorDescription: String? { "The network is down." }
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(SnippetDraft(.stream { throw NetworkIsDown() }))
    }

    #expect(error?.localizedDescription == "Could not save a snippet: The network is down.")
  }

  @Test func `a stream that was read is not taken for an empty one`() async throws {
    let pieces = Lock([Data("Milk, eggs".utf8)][...])
    let draft = SnippetDraft(.stream { pieces.withLock { $0.popFirst() } })
    try await store.save(draft)

    let error = await #expect(throws: SnippetStoreError.self) { try await store.save(draft) }

    #expect(error?.code == .invalidInput)
    #expect(error?.localizedDescription.contains("already read") == true)
    #expect(try store.list().count == 1)
  }

  @Test func `what a sequence throws is the cause of the failure`() async throws {
    let pieces = AsyncThrowingStream<Data, any Error> { continuation in
      continuation.yield(Data(repeating: 1, count: 100_000))
      continuation.finish(throwing: BrokenStream(number: 8))
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await SnippetContent.collecting(pieces)
    }

    #expect(error?.underlyingError as? BrokenStream == BrokenStream(number: 8))
  }

  // collecting     test
  // first piece ─▶ cancels
  // asks for the second: a stream ends for a cancelled task
  @Test func `a sequence that ends because of a cancellation is not taken for complete`()
    async throws
  {
    let taken = Gate()
    let pieces = PiecesThenCancellation(taken: taken)
    let collecting = Task { try await SnippetContent.collecting(pieces) }
    await taken.untilOpen()

    collecting.cancel()

    #expect(await errorCode { try await collecting.value } == .cancelled)
  }

  @Test func `collected content can be saved twice`() async throws {
    let content = try await Source.collected.content(Samples.bytes(100_000))
    let draft = SnippetDraft(content, kind: .image, mediaType: "image/x-sample")

    let first = try await store.save(draft)
    let second = try await store.save(draft)

    #expect(first.id != second.id)
    #expect(first.blobID == second.blobID)
  }

  @Test func `a save that is cancelled while its stream is read stores nothing`() async throws {
    let (store, canceller) = (store, Canceller())
    let content = SnippetContent.stream {
      canceller.cancel()
      return Data(repeating: 1, count: 1000)
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await canceller.run {
        try await store.save(SnippetDraft(content, kind: .image, mediaType: "image/x-sample"))
      }
    }

    #expect(error?.code == .cancelled)
    #expect(try store.list().count == 0)
  }

  @Test func `a save in a cancelled task stores nothing`() async throws {
    let store = store
    let saving = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.save(SnippetDraft(.text("never")))
    }

    #expect(await errorCode { try await saving.value } == .cancelled)
    #expect(try store.list().count == 0)
  }

  // A process of its own, so that what other tests make meanwhile does not count.
  @Test func `no temporary file and no descriptor is left`() async throws {
    let folder = TemporaryDirectory.file("temporary").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    await #expect(processExitsWith: .success) { [folder = folder as String] in
      setenv("TMPDIR", folder, 1)
      let store = try await SnippetStore.inMemory()
      let before = try descriptorCount()
      for isBroken in [false, true] {
        let left = Lock(20)
        let content = SnippetContent.stream {
          let number = left.withLock { left in
            left -= 1
            return left
          }
          if number == 0, isBroken { throw BrokenStream(number: 0) }
          return number <= 0 ? nil : Data(repeating: UInt8(number), count: 200_000)
        }
        let draft = SnippetDraft(content, kind: .image, mediaType: "image/x-sample")
        let row = try? await store.save(draft)
        #expect((row == nil) == isBroken)
      }
      #expect(try descriptorCount() == before)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }

  @Test(.enabled(if: PeakMemory.isMeaningful))
  func `a large stream is saved and read in constant memory`() async {
    await #expect(processExitsWith: .success) {
      [
        file = TemporaryDirectory.file("large").path as String
      ] in
      var configuration = SnippetStore.Configuration()
      // Mapped pages count as memory, although the system takes them back whenever it likes.
      configuration.mapsBlobs = false
      let store = try SnippetStore(at: URL(fileURLWithPath: file), configuration: configuration)
      // Whatever is loaded once is loaded by then.
      _ = try await store.save(stream(pieceCount: 1))
      let before = PeakMemory.byteCount ?? 0

      let row = try await store.save(stream(pieceCount: 64))
      var sum = 0
      try store.forEachPiece(of: row.id) { piece in sum += piece.count }

      #expect(sum == 64 << 20)
      #expect(try #require(PeakMemory.byteCount) - before < 24 << 20)
      try await store.close()
    }
  }
}

private struct BrokenStream: Error, Equatable {
  var number: Int
}

/// One piece, then an end that comes with the cancellation of the task, as `AsyncStream` has it.
private struct PiecesThenCancellation: AsyncSequence {
  let taken: Gate

  func makeAsyncIterator() -> Iterator { Iterator(taken: taken) }

  struct Iterator: AsyncIteratorProtocol {
    let taken: Gate
    private var isFirst = true

    init(taken: Gate) { self.taken = taken }

    mutating func next() async throws -> Data? {
      if isFirst {
        isFirst = false
        return Data("half".utf8)
      }
      let cancelled = Gate()
      await withTaskCancellationHandler {
        taken.open()
        await cancelled.untilOpen()
      } onCancel: {
        cancelled.open()
      }
      return nil
    }
  }
}

/// A recording of so many pieces of 1 MiB, each different from the others.
private func stream(pieceCount: Int) -> SnippetDraft {
  let next = Lock(0)
  let content = SnippetContent.stream {
    let number = next.withLock { next in
      next += 1
      return next
    }
    return number > pieceCount
      ? nil : Data(repeating: UInt8(truncatingIfNeeded: number), count: 1 << 20)
  }
  return SnippetDraft(content, kind: .voice, mediaType: "audio/x-sample")
}

/// How many files this process has open.
private func descriptorCount() throws -> Int {
  #if os(Linux)
  let folder = "/proc/self/fd"
  #else
  let folder = "/dev/fd"
  #endif
  return try FileManager.default.contentsOfDirectory(atPath: folder).count
}
