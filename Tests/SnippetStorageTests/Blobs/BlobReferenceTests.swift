import Foundation
import GRDB
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Whatever is done, the blobs in the store are exactly the contents that a snippet has.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct BlobReferenceTests {
  @Test func `blobs come and go with the snippets that have them`() async throws {
    var random = SeededGenerator()
    let store = try TemporaryStore.open()
    // What every snippet must hold.
    var model: [SnippetID: Content] = [:]

    for step in 0..<(LongTests.isOn ? 1_000 : 100) {
      switch random.below(10) {
      case 0...3:
        let content = Content.random(using: &random)
        model[try await store.save(content.draft).id] = content
      case 4:
        let contents = (0..<random.below(6)).map { _ in Content.random(using: &random) }
        let skips = random.chance(0.5)
        try store.blockingSave(
          contentsOf: contents.map(\.draft),
          skipsDuplicates: skips
        ) { event in
          switch event {
          case .saved(let index, let id, _): model[id] = contents[index]
          case .duplicate(let index, let id, _): #expect(model[id]?.bytes == contents[index].bytes)
          case .failed(_, let error): Issue.record(error)
          }
        }
      case 5...6:
        guard let id = model.keys.sorted().randomElement(using: &random) else { continue }
        let content = Content.random(using: &random)
        guard model[id]?.isText == true, content.isText else { continue }
        try await store.apply(SnippetEdit(text: content.text), to: id)
        model[id] = content
      case 7:
        guard let id = model.keys.sorted().randomElement(using: &random) else { continue }
        try await store.apply(
          SnippetEdit(title: "step \(step)", addedTags: ["tag \(step % 3)"]),
          to: id
        )
      default:
        let ids = model.keys.sorted().shuffled(using: &random).prefix(random.below(4))
        #expect(try await store.delete(Array(ids)) == Array(ids))
        for id in ids { model[id] = nil }
      }
      try expect(store, holds: model)
    }
    for (id, content) in model { #expect(try await store.content(of: id) == content.bytes) }
    try await store.delete(Array(model.keys))
    try expect(store, holds: [:])
  }

  private func expect(_ store: SnippetStore, holds model: [SnippetID: Content]) throws {
    #expect(try store.list().count == model.count)
    let expected = Set(model.values.filter(\.isBlob).map(\.bytes))
    var stored: [Int64: Data] = [:]
    let rows = try store.rows(
      of: """
        SELECT blob.id, data FROM blob JOIN blob_chunk ON blob_chunk.id >> 20 = blob.id
        ORDER BY blob_chunk.id
        """
    )
    for row in rows {
      let (id, data): (Int64, Data) = (row[0], row[1])
      stored[id, default: Data()] += data
    }
    #expect(stored.count == expected.count)
    #expect(Set(stored.values) == expected)
    #expect(try count("blob_chunk", in: store) == expected.reduce(0) { $0 + chunkCount($1.count) })
  }

  private func count(_ table: String, in store: SnippetStore) throws -> Int64 {
    let row = try #require(try store.rows(of: "SELECT count(*) FROM \(table)").first)
    return row[0]
  }

  private func chunkCount(_ byteCount: Int) -> Int64 { Int64((byteCount + 262_143) / 262_144) }
}

/// One of a few contents, so that snippets often share one.
private struct Content: Hashable {
  var number: Int
  var isText: Bool
  var isBlob: Bool

  static func random(using random: inout SeededGenerator) -> Content {
    let isText = random.chance(0.5)
    return Content(
      number: random.below(4),
      isText: isText,
      isBlob: isText ? random.chance(0.4) : true
    )
  }

  var text: String {
    String(repeating: "text \(number)\n", count: isBlob ? 9500 + number : 1)
  }

  /// The third image and the fourth have more than one chunk.
  var bytes: Data {
    isText
      ? Data(text.utf8)
      : Data(repeating: UInt8(number), count: [1, 262_144, 262_145, 600_000][number])
  }

  var draft: SnippetDraft {
    isText ? SnippetDraft(.text(text)) : Samples.image(bytes)
  }
}
