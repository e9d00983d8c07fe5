import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// An import that only says what it would do.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct DryRunTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  @Test func `it says what the import does, and changes nothing`() async throws {
    for name in ["a", "b", "c", "d", "e"] { try tree.add("\(name).md", "text \(name)") }
    try tree.add("p.png", Samples.png)
    try await run()
    try await expectSame()
    try tree.add("a.md", "edited there")
    try await store.apply(SnippetEdit(text: "edited here"), to: try store.row(titled: "b").id)
    try tree.add("b.md", "edited there too")
    try tree.move("c.md", to: "moved/c.md")
    try tree.remove("d.md")
    try await store.moveToTrash([try store.row(titled: "e").id])
    try tree.add("new.md", "new")
    try tree.add("equal.md", "new")
    try tree.add("q.png", Samples.png)
    try tree.add("large.wav", Samples.wav(frameCount: 2_000_000))
    try tree.add("large too.wav", Samples.wav(frameCount: 2_000_000))
    try tree.add("no.bin", Data([0, 1, 2, 3, 0]))
    try await expectSame(.init(makesTagsOfFolders: true, movesMissingToTrash: true))
    try await expectSame(.init(makesTagsOfFolders: true, movesMissingToTrash: true))
    #expect(try await store.check().isSound)
  }

  /// Imports after a dry run, and compares the two.
  private func expectSame(_ options: ImportOptions = ImportOptions()) async throws {
    var dry = options
    dry.isDryRun = true
    let before = try contents()
    let expected = try await run(dry)
    #expect(try contents() == before)
    let found = try await run(options)
    #expect(found == expected, "\(Set(found).symmetricDifference(expected).sorted())")
  }

  @discardableResult
  private func run(_ options: ImportOptions = ImportOptions()) async throws -> [String] {
    let found = Lock<[String]>([])
    let report = try await store.importFiles(at: [tree.url], options: options) { event in
      found.withLock {
        $0.append("\(event.file.path) \(event.outcome) \(event.formerFile?.path ?? "")")
      }
    }
    // Outcomes of a batch come together.
    let counts = ImportEvent.Outcome.allCases.map { "\($0) \(report[$0])" }
    return found.withLock { $0.sorted() } + counts + ["\(report.missingCount) \(report.byteCount)"]
  }

  private func contents() throws -> [SnippetRow] {
    try store.list(.trash).rows(in: 0..<99) + store.list().rows(in: 0..<99)
  }
}
