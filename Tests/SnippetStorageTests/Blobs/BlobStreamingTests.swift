import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// What happens to a store while somebody takes long over a blob.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BlobStreamingTests {
  // reader            writer             somebody else
  // first piece ────▶ writes
  //                   ────────────────▶ folds the whole log into the file
  // other pieces
  @Test(arguments: [StorePlace.mappedFile, .unmappedFile])
  func `a reader never holds up a checkpoint`(_ place: StorePlace) async throws {
    let store = try place.open()
    let bytes = Samples.bytes(2_800_000)
    let row = try await store.save(Samples.voice(bytes))
    var read = Data()
    var logs: [CheckpointedLog] = []

    for try await piece in store.pieces(of: row.id) {
      read += piece
      _ = try await store.save(SnippetDraft(.text("written meanwhile \(read.count)")))
      logs.append(try CheckpointedLog(of: store))
    }

    #expect(read == bytes)
    #expect(logs == [.empty, .empty, .empty])
  }

  @Test(arguments: [StorePlace.mappedFile, .unmappedFile])
  func `an asynchronous reader never holds up a checkpoint`(_ place: StorePlace) async throws {
    let store = try place.open()
    let row = try await store.save(Samples.voice(Samples.bytes(2_800_000)))
    var logs: [CheckpointedLog] = []

    for try await piece in store.pieces(of: row.id) {
      _ = try await store.save(SnippetDraft(.text("written meanwhile \(piece.hashValue)")))
      logs.append(try CheckpointedLog(of: store))
    }

    #expect(logs == [.empty, .empty, .empty])
  }

  @Test(arguments: StorePlace.allCases)
  func `a reader of what is deleted meanwhile is told so`(_ place: StorePlace) async throws {
    let store = try place.open()
    let blob = Samples.voice(Samples.bytes(2_800_000))
    let first = try await store.save(blob)
    var count = 0

    let error = await #expect(throws: SnippetStoreError.self) {
      for try await _ in store.pieces(of: first.id) {
        count += 1
        try await store.delete([first.id])
      }
    }
    let second = try await store.save(blob)
    let asynchronousError = await #expect(throws: SnippetStoreError.self) {
      for try await _ in store.pieces(of: second.id) { try await store.delete([second.id]) }
    }

    #expect(count == 1)
    #expect(error?.code == .notFound)
    #expect(asynchronousError?.code == .notFound)
  }

  @Test(arguments: StorePlace.allCases)
  func `a reader goes on while another snippet has the same bytes`(_ place: StorePlace) async throws
  {
    let store = try place.open()
    let bytes = Samples.bytes(2_800_000)
    let first = try await store.save(Samples.voice(bytes))
    _ = try await store.save(Samples.voice(bytes))
    var read = Data()

    for try await piece in store.pieces(of: first.id) {
      read += piece
      try await store.delete([first.id])
    }

    #expect(read == bytes)
  }

  @Test(arguments: StorePlace.allCases)
  func `a reader of a text that changes meanwhile never sees a mixture`(
    _ place: StorePlace
  ) async throws {
    let store = try place.open()
    let short = try await store.save(SnippetDraft(.text("before")))
    let long = try await store.save(
      SnippetDraft(.text(String(repeating: "before\n", count: 300_000)))
    )
    var read = Data()

    for try await piece in store.pieces(of: short.id) {
      read += piece
      try await store.apply(SnippetEdit(text: "after"), to: short.id)
    }
    let error = await #expect(throws: SnippetStoreError.self) {
      for try await _ in store.pieces(of: long.id) {
        try await store.apply(
          SnippetEdit(text: String(repeating: "after.\n", count: 300_000)),
          to: long.id
        )
      }
    }

    #expect(read == Data("before".utf8))
    #expect(error?.code == .notFound)
  }
}
