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

  @Test func `pictures and recordings whose bytes have changed would be updated`() async throws {
    func picture(day: Int) -> Data {
      Data(DatedPicture.jpeg(DatedPicture.exif("2024:03:0\(day) 12:00:00", zone: "+00:00")))
    }
    func noted(_ note: String) throws -> Data {
      let description = """
        <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
         <dc:description><rdf:Alt><rdf:li xml:lang="x-default">\(note)</rdf:li></rdf:Alt>
         </dc:description></rdf:Description>
        """
      let packet = """
        <x:xmpmeta xmlns:x="adobe:ns:meta/">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\(description)</rdf:RDF>
        </x:xmpmeta>
        """
      return Data(try #require(DatedPicture.withXMP(packet).first))
    }
    try tree.add("a.jpg", picture(day: 1))
    try tree.add("b.jpg", noted("First"))
    try tree.add("c.wav", Samples.wav(frameCount: 8000))
    try await run()
    try tree.add("a.jpg", picture(day: 5))
    try tree.add("b.jpg", noted("Second, longer"))
    let moment = #""photoTakenTime": {"timestamp": "1577934245"}"#
    try tree.add("b.jpg.json", #"{"title": "b.jpg", "description": "Told", \#(moment)}"#)
    try tree.add("c.wav", Samples.wav(frameCount: 9000))

    var dry = ImportOptions()
    dry.isDryRun = true
    #expect(try await store.importFiles(at: [tree.url], options: dry)[.updated] == 3)
    try await expectSame()
    #expect(try store.row(titled: "a").createdAt.timeIntervalSince1970 == 1_709_640_000)
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
