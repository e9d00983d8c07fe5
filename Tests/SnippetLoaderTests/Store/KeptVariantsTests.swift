import Foundation
import SnippetStore
import SnippetTestSupport
import Testing

@testable import SnippetLoader

@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct KeptVariantsTests {
  @Test func `a variant is made once, whoever reads it`() async throws {
    let store = try TemporaryStore.open()
    let blob = try await blob(in: store)
    let first = FakeProcessor(1)

    for _ in 0..<3 {
      let bytes = try read(1, of: blob, from: source(first, in: store))
      #expect(bytes == Data(Samples.bytes(1000).map { $0 ^ 1 }))
    }
    let again = FakeProcessor(1)
    _ = try read(1, of: blob, from: source(again, in: try TemporaryStore.open()))

    #expect(first.processed.count == 1)
    #expect(again.processed.isEmpty)
  }

  @Test func `another version is made anew`() async throws {
    let store = try TemporaryStore.open()
    let blob = try await blob(in: store)
    let processor = FakeProcessor(1)
    _ = try read(1, of: blob, from: source(processor, in: store))

    _ = try read(1, of: blob, from: source(processor, version: 2, in: store))

    #expect(processor.processed.count == 2)
  }

  @Test func `a variant of a variant is made of what is kept`() async throws {
    let store = try TemporaryStore.open()
    let blob = try await blob(in: store)
    let (large, small) = (FakeProcessor(1), FakeProcessor(2, from: BlobVariant(rawValue: 1)))
    let source = KeptVariants(
      of: store,
      [.init(large, recipe: DerivativeRecipe("large")), .init(small, recipe: .init("small"))]
    )

    let bytes = try read(2, of: blob, from: source)
    _ = try read(1, of: blob, from: source)

    #expect(bytes == Data(Samples.bytes(1000).map { $0 ^ 1 ^ 3 }))
    #expect(large.processed.count == 1 && small.processed.count == 1)
  }

  @Test func `what cannot be made is told of and not kept`() async throws {
    let store = try TemporaryStore.open()
    let blob = try await blob(in: store)
    let processor = FakeProcessor(1)
    processor.fail(blob, with: LoadError(.undecodable))

    let error = #expect(throws: LoadError.self) {
      try read(1, of: blob, from: source(processor, in: store))
    }

    #expect(error?.code == .undecodable)
    processor.fail(blob, with: nil)
    #expect(try read(1, of: blob, from: source(processor, in: store)).count == 1000)
  }

  @Test func `originals are read as they are, and what is unknown is not found`() async throws {
    let store = try TemporaryStore.open()
    let blob = try await blob(in: store)
    let source = source(FakeProcessor(1), in: store)

    #expect(try read(0, of: blob, from: source) == Samples.bytes(1000))
    for (variant, blob) in [(7, blob), (1, BlobID(rawValue: 99))] as [(UInt32, BlobID)] {
      let error = #expect(throws: LoadError.self) { try read(variant, of: blob, from: source) }
      #expect(error?.code == .notFound)
    }
  }

  @Test func `nothing is made when nobody waits any more`() async throws {
    let store = try TemporaryStore.open()
    let blob = try await blob(in: store)
    let processor = FakeProcessor(1)
    let source = source(processor, in: store)
    var context = LoadContext(isCancelled: { true })

    #expect(throws: LoadError.self) {
      try source.read(LoadKey(blobID: blob, variant: BlobVariant(rawValue: 1)), into: &context)
    }

    #expect(processor.processed.isEmpty)
  }

  private func blob(in store: SnippetStore) async throws -> BlobID {
    let row = try await store.save(Samples.image(Samples.bytes(1000)))
    return try #require(row.blobID)
  }

  private func source(
    _ processor: FakeProcessor,
    version: Int = 1,
    in store: SnippetStore
  ) -> KeptVariants {
    KeptVariants(of: store, [.init(processor, recipe: .init("large", version: version))])
  }

  private func read(_ variant: UInt32, of blob: BlobID, from source: KeptVariants) throws -> Data {
    let key = LoadKey(blobID: blob, variant: BlobVariant(rawValue: variant))
    var context = LoadContext()
    try source.read(key, into: &context)
    return context.take(for: key).bytes
  }
}
