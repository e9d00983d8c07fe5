import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// A long text is taken apart while nobody holds the write lock.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LongTextsTests {
  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  private func step(_ longTexts: inout LongTexts) throws -> Bool {
    try store.connections.write(to: "index") { db in
      try SearchIndex.catchUp(&longTexts, in: db)
    }
  }

  @Test func `a step ends at a long text, and the next one takes it up`() async throws {
    let short = try await store.save(SnippetDraft(.text("a short needle")))
    let long = try await store.save(SnippetDraft(.text("\(Samples.longText("é")) needle")))
    var longTexts = LongTexts()

    #expect(try !step(&longTexts))
    #expect(longTexts.wanted == long.id)
    #expect(try !step(&longTexts))
    try longTexts.prepare(store.connections, to: "index")
    #expect(try step(&longTexts))

    #expect(longTexts.wanted == nil)
    let found = Set(try await store.foundIDs("needle"))
    #expect(found == Set([short.id, long.id]))
  }

  @Test func `a text that is another one by then is not taken up`() async throws {
    let row = try await store.save(SnippetDraft(.text("\(Samples.longText("a")) former")))
    var longTexts = LongTexts()
    #expect(try !step(&longTexts))
    try longTexts.prepare(store.connections, to: "index")

    try await store.apply(SnippetEdit(text: "\(Samples.longText("b")) latter"), to: row.id)

    #expect(try !step(&longTexts))
    try longTexts.prepare(store.connections, to: "index")
    #expect(try step(&longTexts))
    #expect(try await store.foundIDs("former").isEmpty)
    #expect(try await store.foundIDs("latter") == [row.id])
  }

  @Test func `a text that is gone by then is not waited for`() async throws {
    let row = try await store.save(SnippetDraft(.text(Samples.longText())))
    var longTexts = LongTexts()
    #expect(try !step(&longTexts))

    try await store.delete([row.id])

    try longTexts.prepare(store.connections, to: "index")
    #expect(try step(&longTexts))
  }

  @Test func `a purge takes up long texts too`() async throws {
    let row = try await store.save(SnippetDraft(.text("\(Samples.longText()) needle")))

    try await store.purge(rewritesFile: false)

    #expect(try await store.foundIDs("needle") == [row.id])
  }
}
