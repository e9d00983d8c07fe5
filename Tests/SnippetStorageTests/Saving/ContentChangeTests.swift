import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Content of more than 1 MiB is read twice: to be hashed, and to be written.
@Suite(.temporaryDirectory)
struct ContentChangeTests {
  let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test(arguments: ChangingBytes.Change.allCases)
  func `content that changes between hashing and writing is not stored`(
    _ change: ChangingBytes.Change
  ) async throws {
    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(draft(ChangingBytes(change)))
    }

    #expect(error?.code == change.code)
    #expect(error?.isRetryable == (change.code == .contentChanged))
    #expect(try store.list().count == 0)
    #expect(try await store.information().blobCount == 0)
  }

  @Test(arguments: ChangingBytes.Change.allCases)
  func `content that changes keeps none of the others from being saved`(
    _ change: ChangingBytes.Change
  ) async throws {
    let failures = Lock<[Int: SnippetStoreError.Code]>([:])
    let drafts = [
      SnippetDraft(.text("before")), draft(ChangingBytes(change)), SnippetDraft(.text("after")),
    ]

    let report = try await store.save(contentsOf: drafts) { event in
      if case .failed(let index, let error) = event {
        failures.withLock { $0[index] = error.code }
      }
    }

    #expect(report.savedCount == 2)
    #expect(report.failedCount == 1)
    #expect(failures.withLock { $0 } == [1: change.code])
    #expect(
      try store.list(order: .oldestFirst).rows(in: 0..<9).map(\.title) == ["before", "after"]
    )
    #expect(try await store.information().blobCount == 0)
  }

  @Test func `content that fails once can be saved again`() async throws {
    let source = ChangingBytes(.otherBytes)
    await #expect(throws: SnippetStoreError.self) { try await store.save(draft(source)) }

    // It stays as it has become.
    let row = try await store.save(draft(source))

    #expect(try await store.content(of: row.id) == Data(repeating: 2, count: ChangingBytes.size))
  }

  // The first draft is hashed when it is taken, and written with the second one.
  @Test(arguments: FileChange.allCases)
  func `a file that changes between hashing and writing is not stored`(
    _ change: FileChange
  ) async throws {
    let file = TemporaryDirectory.file("recording")
    try Samples.bytes(2 << 20).write(to: file)
    let changed = SnippetDraft(.file(at: file), kind: .voice, mediaType: "audio/x-sample")
    let other = SnippetDraft(
      .stream {
        try change.apply(to: file)
        return nil
      }
    )

    let failures = Lock<[Int: SnippetStoreError.Code]>([:])
    let report = try await store.save(contentsOf: [changed, other]) { event in
      if case .failed(let index, let error) = event {
        failures.withLock { $0[index] = error.code }
      }
    }

    #expect(failures.withLock { $0 }[0] == change.code)
    #expect(report.savedCount == (change.code == nil ? 1 : 0))
    #expect(try await store.information().blobCount == report.savedCount)
  }

  @Test func `a short file is read only once`() async throws {
    let source = ChangingBytes(.otherBytes, size: 1 << 20)

    let row = try await store.save(draft(source))

    #expect(try await store.content(of: row.id) == Data(repeating: 1, count: 1 << 20))
  }

  // writing                 test
  // 1 MiB of 3 is read ───▶ cancels
  @Test(arguments: [false, true])
  func `cancelling ends the writing of a large blob`(_ isInBatch: Bool) async throws {
    let (store, canceller) = (store, Canceller())
    let source = ChangingBytes(.none) { canceller.cancel() }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await canceller.run {
        if isInBatch {
          try await store.save(contentsOf: [draft(source)])
        } else {
          _ = try await store.save(draft(source))
        }
      }
    }

    #expect(error?.code == .cancelled)
    #expect(source.bytesReadTwice <= 1 << 20)
    #expect(try await store.information().blobCount == 0)
  }
}

private func draft(_ source: any ByteSource) -> SnippetDraft {
  SnippetDraft(
    SnippetContent(source: .collected(source)),
    kind: .image,
    mediaType: "image/x-sample",
    title: "changing"
  )
}

/// What may happen to a file while it is saved.
enum FileChange: String, CaseIterable {
  case overwritten, shortened, lengthened, replaced, removed

  /// What becomes of its draft; `nil` when it is saved as it was.
  var code: SnippetStoreError.Code? {
    switch self {
    case .overwritten, .shortened: .contentChanged
    case .lengthened, .replaced, .removed: nil
    }
  }

  func apply(to file: URL) throws {
    switch self {
    case .overwritten, .shortened, .lengthened:
      let handle = try FileHandle(forWritingTo: file)
      switch self {
      case .overwritten: try handle.seek(toOffset: 1_500_000)
      case .shortened: try handle.truncate(atOffset: 1_500_000)
      default: try handle.seekToEnd()
      }
      if self != .shortened { try handle.write(contentsOf: Data("changed".utf8)) }
      try handle.close()
    case .replaced:
      try Data("another".utf8).write(to: file, options: .atomic)
    case .removed:
      try FileManager.default.removeItem(at: file)
    }
  }
}
