import Foundation
import SnippetBase
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ImportTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("tree")
  }

  @Test func `every file of a folder is reported in the order of names`() async throws {
    try tree.add("b/inner.png", Samples.png)
    try tree.add("b/deep/deeper/memo.wav", Samples.wav())
    try tree.add("c.txt", "Milk")
    try tree.add("a.md", "# Eggs")
    try tree.add("b/a.bin", Data([0, 1, 2, 3]))
    try tree.add("b/empty", Data())
    // Of two equal notes, either may be edited; of two equal pictures, one is enough.
    try tree.add("same as c.log", "Milk")
    try tree.add("same.png", Samples.png)
    let events = Lock<[ImportOutcome]>([])

    let report = try await store.importFiles(at: [tree.url]) { event in
      events.withLock { $0.append(ImportOutcome(event)) }
    }

    #expect(
      events.withLock { $0.sorted { $0.path < $1.path } } == [
        ImportOutcome(tree.path("a.md"), .imported, 6),
        ImportOutcome(tree.path("b/a.bin"), .unsupported),
        ImportOutcome(tree.path("b/deep/deeper/memo.wav"), .imported, 8044),
        ImportOutcome(tree.path("b/empty"), .unsupported),
        ImportOutcome(tree.path("b/inner.png"), .imported, Int64(Samples.png.count)),
        ImportOutcome(tree.path("c.txt"), .imported, 4),
        ImportOutcome(tree.path("same as c.log"), .imported, 4),
        ImportOutcome(tree.path("same.png"), .duplicate, Int64(Samples.png.count)),
      ]
    )
    #expect(report[.imported] == 5)
    #expect(report[.duplicate] == 1)
    #expect(report[.unsupported] == 2)
    #expect(report[.failed] == 0)
    #expect(report.byteCount == 6 + 8044 + 4 + 4 + Int64(Samples.png.count))
    // Snippets are made in the order of the walk.
    #expect(try titlesInOrder() == ["a", "memo", "inner", "c", "same as c.log"])
  }

  @Test func `a file gives its title, its date, its kind and its bytes`() async throws {
    let file = try tree.add("Holiday 2024.final.dat", Samples.png)
    try FileManager.default.setAttributes(
      [.modificationDate: Samples.date],
      ofItemAtPath: file.path
    )

    try await store.importFiles(at: [file], options: .init(tags: ["trip", " sea "]))

    let row = try #require(try store.list().row(at: 0))
    #expect(row.title == "Holiday 2024.final")
    #expect(row.createdAt == Samples.date)
    #expect(row.kind == .image)
    #expect(row.mediaType == "image/png")
    #expect(row.tags == ["sea", "trip"])
    #expect(try await store.content(of: row.id) == Samples.png)
  }

  @Test func `importing again imports nothing`() async throws {
    for number in 0..<20 { try tree.add("\(number % 3)/\(number).txt", "text \(number)") }
    try tree.add("large.txt", Samples.longText())
    try tree.add("image.png", Samples.png)
    let first = try await store.importFiles(at: [tree.url])

    let second = try await store.importFiles(at: [tree.url, tree.url])

    #expect(first[.imported] == 22)
    #expect(second[.imported] == 0)
    #expect(second[.unchanged] == 44 && second[.duplicate] == 0)
    #expect(second.byteCount == 0)
    #expect(try store.list().count == 22)
  }

  @Test(arguments: [false, true])
  func `hidden files are imported only when asked for or given`(_ includesHidden: Bool) async throws
  {
    try tree.add("seen.txt", "seen")
    let hidden = try tree.add(".hidden.txt", "hidden")
    try tree.add(".folder/inner.txt", "inner")
    try tree.add("folder/.inner.txt", "inner too")

    let report = try await store.importFiles(
      at: [tree.url],
      options: .init(includesHidden: includesHidden)
    )
    let given = try await store.importFiles(at: [hidden])

    #expect(report[.imported] == (includesHidden ? 4 : 1))
    #expect(given[.imported] == (includesHidden ? 0 : 1))
  }

  @Test func `what is given and cannot be imported is reported`() async throws {
    let missing = tree.url.appendingPathComponent("missing")
    let pipe = try tree.addPipe("pipe")
    let good = try tree.add("good.txt", "good")
    let codes = Lock<[String: SnippetStoreError.Code]>([:])

    let report = try await store.importFiles(at: [missing, pipe, good]) { event in
      if event.outcome == .failed {
        codes.withLock { $0[event.file.lastPathComponent] = event.error?.code }
      }
    }

    #expect(codes.withLock { $0 } == ["missing": .noSuchFile, "pipe": .unreadable])
    #expect(report[.failed] == 2)
    #expect(report[.imported] == 1)
  }

  @Test func `a wrong tag is refused before anything is read`() async throws {
    try tree.add("a.txt", "a")

    let code = await errorCode {
      try await store.importFiles(at: [tree.url], options: .init(tags: ["a,b"])) { event in
        Issue.record("nothing is read: \(event)")
      }
    }

    #expect(code == .invalidInput)
  }

  @Test func `the size of an import is told beforehand`() async throws {
    try tree.add("a.txt", "12345")
    try tree.add("b/c.bin", Data([0, 1]))
    try tree.add(".hidden", "hidden")
    try tree.addLink("link", to: "a.txt")
    let missing = tree.url.appendingPathComponent("missing")

    let size = await store.sizeOfImport(of: [tree.url, missing])
    let all = await store.sizeOfImport(of: [tree.url], options: .init(includesHidden: true))

    #expect(size.fileCount == 3)
    #expect(size.byteCount == 7)
    #expect(all.fileCount == 3)
    #expect(all.byteCount == 13)
    #expect(try store.list().count == 0)
  }

  @Test func `counting ends when nobody waits for the size any more`() async throws {
    try tree.add("a.txt", "12345")
    let (store, url, canceller) = (store, tree.url, Canceller())

    let size = try await canceller.run {
      canceller.cancel()
      return await store.sizeOfImport(of: [url])
    }

    #expect(size.fileCount == 0)
  }

  // 500 files are a batch, so the first are reported while the others are not yet written.
  @Test func `cancelling keeps what was reported and nothing else`() async throws {
    for number in 0..<1100 { try tree.add("\(number).txt", "text \(number)") }
    let (store, url, canceller, told) = (store, tree.url, Canceller(), Lock(0))

    let onEvent: @Sendable (ImportEvent) -> Void = { _ in
      told.withLock { $0 += 1 }
      canceller.cancel()
    }

    let code = await errorCode {
      try await canceller.run { try await store.importFiles(at: [url], onEvent: onEvent) }
    }

    #expect(code == .cancelled)
    #expect(told.withLock { $0 } == 500)
    #expect(try store.list().count == 500)
    let report = try await store.importFiles(at: [tree.url])
    #expect(report[.imported] == 600)
    #expect(report[.unchanged] == 500)
  }

  @Test func `of the files of several snippets no more than a thousand would remain`()
    async throws
  {
    for number in 0..<502 {
      try tree.add("\(number).png", Samples.png)
      try tree.add("\(number).second.png", Samples.png + Data([1]))
    }
    try await store.importFiles(at: [tree.url])
    let ids = try store.list().rows(in: 0..<9).map(\.id)
    #expect(ids.count == 2)

    #expect(try await store.remainder(of: ids).files.count == 1000)
    #expect(try await store.remainder(of: [ids[0]]).files.count == 502)
  }

  @Test func `a store that is only read imports nothing`() async throws {
    try tree.add("a.txt", "a")
    let reader = try TemporaryStore.open(configuration: .init(access: .readOnly))

    #expect(await errorCode { try await reader.importFiles(at: [tree.url]) } == .readOnly)
  }

  private func titlesInOrder() throws -> [String] {
    try store.list().rows(in: 0..<99).sorted { $0.id < $1.id }.map(\.title)
  }
}
