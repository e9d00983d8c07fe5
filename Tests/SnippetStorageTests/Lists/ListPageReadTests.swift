import CPageReads
import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// What lists read of the file, counted page by page.
///
/// With `SNIP_LONG_TESTS` set: 100,000 rows, with 10 GB of blobs.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(60)))
struct ListPageReadTests {
  @Test func `lists read no page of a blob or a text`() async {
    // As SQLite is given it, which follows links.
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    // Every connection of the process is watched.
    await #expect(processExitsWith: .success) {
      [folder = folder as URL, seed = SeededGenerator.runSeed as UInt64] in
      try await CountedLists(file: folder.appendingPathComponent("store.sqlite"), seed: seed).run()
    }
  }
}

/// Lists of one store, read while its pages are counted.
private struct CountedLists {
  private static let isLong = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil
  private static let rowCount = isLong ? 100_000 : 2000
  private static let blobByteCount = isLong ? 200_000 : 20_000
  private static let pageSize = 8192

  let file: URL
  let seed: UInt64

  func run() async throws {
    let blobs = try await fill()
    let payloads = try await pages(of: ["blob", "blob_chunk", "snippet_text"])
    let others = try await pages(of: ["snippet", "snippet_by_created"])
    #expect(payloads.count > Self.rowCount / 2 * Self.blobByteCount / Self.pageSize)
    try #require(snippet_page_reads_watch(file.path, UInt32(Self.pageSize)) == 0)
    let store = try SnippetStore(at: file, configuration: .init(access: .readOnly))
    snippet_page_reads_reset()

    let rowsRead = try readLists(of: store)

    print(
      "lists: \(rowsRead) rows, \(readCount(of: others)) pages of rows, "
        + "\(readCount(of: payloads)) of \(payloads.count) pages of payloads"
    )
    #expect(rowsRead > 40_000)
    #expect(readCount(of: payloads) == 0)
    #expect(readCount(of: others) > 0)

    // What is counted are reads, mapped ones as well.
    for blob in blobs {
      let before = readCount(of: payloads)
      #expect(try await store.content(of: blob).count == Self.blobByteCount)
      #expect(readCount(of: payloads) >= before + Self.blobByteCount / Self.pageSize)
    }
    try await store.close()
  }

  /// Saves texts and images in turn.
  ///
  /// - Returns: Blobs from all over the file.
  private func fill() async throws -> [BlobID] {
    var configuration = SnippetStore.Configuration()
    configuration.isDisposable = true
    let store = try SnippetStore(at: file, configuration: configuration)
    let drafts = (0..<Self.rowCount).lazy.map { number in
      let tags = number % 10 == 0 ? ["tenth"] : []
      guard number % 2 == 1 else {
        return SnippetDraft(.text("The text of row \(number)."), title: "\(number)", tags: tags)
      }
      var bytes = Data(count: Self.blobByteCount)
      bytes.replaceSubrange(..<8, with: withUnsafeBytes(of: number) { Data($0) })
      return Samples.image(bytes, title: "\(number)", tags: tags)
    }
    let report = try store.blockingSave(contentsOf: drafts)
    #expect(report.savedCount == Self.rowCount)
    let images = store.list(SnippetFilter(kinds: [.image]))
    let blobs = try stride(from: 0, to: Self.rowCount / 2, by: Self.rowCount / 20).compactMap {
      try images.row(at: $0)?.blobID
    }
    try await store.close()
    #expect(blobs.count == 10)
    #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    return blobs
  }

  /// Reads lists of every form, everywhere.
  ///
  /// - Returns: How many rows were read.
  private func readLists(of store: SnippetStore) throws -> Int {
    var random = SeededGenerator(seed: seed)
    var rowsRead = 0
    let filters = [
      SnippetFilter.all, SnippetFilter(kinds: [.image]), SnippetFilter(tags: ["tenth"]),
    ]
    for order in SnippetOrder.all {
      for filter in filters {
        let list = store.list(filter, order: order)
        let count = try list.count
        for _ in 0..<40 {
          let start = random.below(count)
          let rows = try list.rows(in: start..<min(start + 50, count))
          rowsRead += rows.count
          #expect(try list.position(of: rows[0].id) == start)
          #expect(try store.row(rows[0].id) == rows[0])
        }
      }
    }
    return rowsRead
  }

  private func pages(of tables: [String]) async throws -> [UInt32] {
    let names = tables.map { "'\($0)'" }.joined(separator: ", ")
    let sql = "SELECT pageno FROM dbstat WHERE name IN (\(names))"
    return try await Shell.sqlite3(file, sql).standardOutput.split(separator: "\n")
      .compactMap { UInt32($0) }
  }

  /// How often pages were read.
  private func readCount(of pages: [UInt32]) -> Int {
    pages.reduce(0) { $0 + Int(snippet_page_reads_of($1)) }
  }
}
