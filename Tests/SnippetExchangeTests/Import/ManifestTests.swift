import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// What a manifest may say that no export has written.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ManifestTests {
  private let folder = TemporaryDirectory.file("export")

  // Summed up, such sizes once ended the program.
  @Test func `the size of an import is that of its files, whatever a manifest says`() async throws {
    let store = try TemporaryStore.open()
    for text in ["one", "three"] { try await store.save(SnippetDraft(.text(text))) }
    try await store.export(to: folder)
    let manifest = folder.appendingPathComponent("manifest.jsonl")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try Data(
      text.replacing("\"byteCount\":3,", with: "\"byteCount\":\(Int64.max),")
        .replacing("\"byteCount\":5,", with: "\"byteCount\":\(Int64.max),").utf8
    )
    .write(to: manifest)
    let other = try TemporaryStore.open("other.sqlite")

    #expect(await other.sizeOfImport(of: [folder]) == .init(fileCount: 2, byteCount: 8))
    #expect(try await other.importFiles(at: [folder])[.imported] == 2)
  }

  @Test func `more than can be counted counts as that`() {
    var size = ImportSize(fileCount: 0, byteCount: 0)

    for _ in 0..<3 { size.add(byteCount: .max / 2) }

    #expect(size == .init(fileCount: 3, byteCount: .max))
  }

  @Test(
    arguments: [
      "../secret.txt", "/etc/hostname", "texts/../../secret.txt", "texts", "texts/", "a/b/c",
      "link/secret.txt", "texts/link.txt", "./secret.txt", "", "texts/\\u0000",
      "texts/../\u{301}secret.txt",
    ]
  )
  func `a manifest leads to no file outside of its folder`(name: String) async throws {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("texts"),
      withIntermediateDirectories: true
    )
    let secret = TemporaryDirectory.file("secret.txt")
    try Data("secret".utf8).write(to: secret)
    // To Swift a slash with a mark behind it is no slash.
    try Data("secret".utf8).write(to: folder.appendingPathComponent("\u{301}secret.txt"))
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("link"),
      withDestinationURL: secret.deletingLastPathComponent()
    )
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("texts/link.txt"),
      withDestinationURL: secret
    )
    let hash = try MemoryBytes(data: Data("secret".utf8)).contentHash().hexadecimal
    let line = """
      {"file":"\(name)","uuid":"\(UUID())","kind":"text","title":"t","tags":[],"pinned":false,\
      "createdAt":"2025-11-21T09:01:02.345Z","modifiedAt":"2025-11-21T09:01:02.345Z",\
      "mediaType":"text/plain","byteCount":6,"encoding":"utf-8","sha256":"\(hash)"}
      """
    try Data("{\"format\":\"snippets\",\"version\":1}\n\(line)\n".utf8)
      .write(to: folder.appendingPathComponent("manifest.jsonl"))
    let store = try TemporaryStore.open()

    let report = try await store.importFiles(at: [folder])

    #expect(report[.imported] == 0 && report[.failed] == 1, "\(report)")
  }

  @Test func `a first line of a manifest hides no file of its folder: each is named`() async throws
  {
    let tree = try FileTree("vault")
    try tree.add("manifest.jsonl", "{\"format\":\"snippets\",\"version\":1}\n")
    for number in 0..<5 {
      try tree.add("\(number).md", "note \(number)")
      try tree.add("below/deeper/\(number).md", "note below \(number)")
    }
    try tree.add(".hidden.md", "hidden")
    let named = Lock<Set<String>>([])

    let report = try await TemporaryStore.open().importFiles(at: [tree.url]) { event in
      guard event.outcome == .unsupported, let error = event.error else { return }
      #expect(error.reason.contains("manifest"))
      named.withLock { _ = $0.insert(event.file.path) }
    }

    #expect(report[.unsupported] == 10 && report[.failed] == 0, "\(report)")
    let expected = (0..<5).flatMap { ["\($0).md", "below/deeper/\($0).md"] }
    #expect(named.withLock { $0 } == Set(expected.map { tree.path($0) }))
  }

  @Test func `a note that was added to an export is named, and the others are imported`()
    async throws
  {
    let store = try TemporaryStore.open()
    for text in ["one", "zwölf"] { try await store.save(SnippetDraft(.text(text))) }
    try await store.export(to: folder)
    try Data("added".utf8).write(to: folder.appendingPathComponent("texts/added.txt"))
    let named = Lock<[String]>([])

    let report = try await TemporaryStore.open("other.sqlite").importFiles(at: [folder]) { event in
      guard event.outcome == .unsupported else { return }
      named.withLock { $0.append(event.file.lastPathComponent) }
    }

    #expect(report[.imported] == 2 && report[.unsupported] == 1, "\(report)")
    #expect(named.withLock { $0 } == ["added.txt"])
  }

  @Test(
    arguments: [
      ("{\"format\":\"snippets\",\"version\":1}\n", 0, 0),
      ("{\"format\":\"snippets\",\"version\":1}\nnonsense\n{}\n", 0, 2),
      ("{\"format\":\"snippets\",\"version\":2}\n{}\n", 0, 1),
      ("{\"format\":\"songs\",\"version\":1}\n", 1, 0), ("my own notes", 1, 0),
    ]
  )
  func `a manifest that cannot be read is reported, and another file is a file`(
    text: String,
    importedCount: Int,
    failedCount: Int
  ) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: folder.appendingPathComponent("manifest.jsonl"))

    let report = try await TemporaryStore.open().importFiles(at: [folder])

    #expect(report[.imported] == importedCount && report[.failed] == failedCount)
  }

  @Test func `a large file that only has the name of a manifest is a file like others`()
    async throws
  {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // Not a text, whose words would be indexed for seconds.
    let picture = Samples.png + Data(count: 17 << 20)
    try picture.write(to: folder.appendingPathComponent("manifest.jsonl"))
    try Data("beside it".utf8).write(to: folder.appendingPathComponent("other.txt"))

    let report = try await TemporaryStore.open().importFiles(at: [folder])

    #expect(report[.imported] == 2 && report[.failed] == 0, "\(report)")
  }

  @Test func `lines are read whole whatever their length`() throws {
    let file = TemporaryDirectory.file("lines")
    let lines = [0, 1, 16_383, 16_384, 16_385, 100_000, 0].map {
      Data(repeating: UInt8(ascii: "x"), count: $0)
    }
    try Data(lines.joined(separator: Data("\n".utf8))).write(to: file)
    var reader = LineReader(try OpenFile(file.path))

    // What follows the last line feed is a line unless it is empty.
    for line in lines.dropLast() { #expect(try reader.next() == line) }
    #expect(try reader.next() == nil)
  }
}
