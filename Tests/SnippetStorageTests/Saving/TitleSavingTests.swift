import Foundation
import SnippetBase
import SnippetExchange
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// The title and the tags that a snippet gets.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TitleSavingTests {
  private let store: SnippetStore
  private let folder = TemporaryDirectory.file("files")

  init() throws {
    store = try TemporaryStore.open()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private static func wav(title: String?) -> Data {
    Data(TitledFile.wav(after: title.map { TitledFile.info(Array($0.utf8)) } ?? []))
  }

  private func file(_ name: String, _ bytes: Data) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try bytes.write(to: url)
    return url
  }

  @Test func `the title in a file goes before its name, and a given one before both`()
    async throws
  {
    let titled = try file("REC-0007.wav", Self.wav(title: "Interview,\n part 2"))
    let bare = try file("Voice memo.wav", Self.wav(title: nil))

    let saved = [
      try await store.save(SnippetDraft(.file(at: titled))),
      try await store.save(SnippetDraft(.file(at: titled), title: "Mine")),
      try await store.save(SnippetDraft(.file(at: titled), title: "")),
      try await store.save(SnippetDraft(.file(at: bare))),
      try await store.save(SnippetDraft(.bytes(Self.wav(title: "In memory")))),
      try await store.save(SnippetDraft(.bytes(Self.wav(title: nil)))),
    ]

    #expect(
      saved.map(\.title) == ["Interview, part 2", "Mine", "", "Voice memo", "In memory", ""]
    )
  }

  @Test func `keywords in a picture become tags of a new snippet, beside those that it is given`()
    async throws
  {
    let long = String(repeating: "x", count: 101)
    let items = ["Coast", "Paris, France", long].map { "<rdf:li>\($0)</rdf:li>" }.joined()
    let packet = "<dc:subject><rdf:Bag>\(items)</rdf:Bag></dc:subject>"
    let picture = Data(try #require(DatedPicture.withXMP(packet).first))

    let saved = try await store.save(SnippetDraft(.bytes(picture), tags: ["mine", "coast"]))
    #expect(saved.tags.sorted() == ["Paris France", "coast", "mine"])

    let known = try await store.save(SnippetDraft(.bytes(picture), tags: ["mine"], uuid: UUID()))
    #expect(known.tags == ["mine"])
  }

  @Test(arguments: TitledFile.all)
  func `every format's title is found in a file and in a stream`(file: TitledFile) async throws {
    let bytes = Data(file.bytes(Array("The Title".utf8)))
    let url = try self.file("name", bytes)
    let rest = Lock([bytes.prefix(500), bytes.dropFirst(500)])

    let ofFile = try await store.save(SnippetDraft(.file(at: url)))
    let ofStream = try await store.save(
      SnippetDraft(
        .stream { rest.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
      )
    )

    #expect(ofFile.title == "The Title" && ofStream.title == "The Title")
    #expect(ofFile.mediaType == file.type.mediaType)
  }

  @Test func `what is recorded keeps the title in its bytes unless it was given one`() async throws
  {
    let titles = try await [nil, "Mine"].asyncMap { title in
      let capture = try await store.startCapture(title: title)
      try await capture.append(Self.wav(title: "In the bytes"))
      return try await capture.finish().title
    }

    #expect(titles == ["In the bytes", "Mine"])
  }

  @Test func `the words of a text are no title of its file`() async throws {
    let text = try file("Shopping.txt", Data("TITLE=Milk\n".utf8))

    #expect(try await store.save(SnippetDraft(.file(at: text))).title == "Shopping")
  }

  @Test func `an image of any format but PNG keeps the name of its file`() async throws {
    let picture = try file("Harbour.jpg", Data(RealFiles.jpeg))

    #expect(try await store.save(SnippetDraft(.file(at: picture))).title == "Harbour")
  }

  @Test func `files with titles are imported once`() async throws {
    _ = try file("a.wav", Self.wav(title: "One"))
    _ = try file("b.wav", Self.wav(title: "Two"))
    _ = try file("same as a.wav", Self.wav(title: "One"))

    let first = try await store.importFiles(at: [folder])
    let second = try await store.importFiles(at: [folder])

    #expect(first[.imported] == 2 && first[.duplicate] == 1, "\(first)")
    #expect(second[.imported] == 0 && second[.unchanged] == 3, "\(second)")
    #expect(try store.list(order: .byTitle).rows(in: 0..<9).map(\.title) == ["One", "Two"])
  }

  @Test func `an export gives the titles that snippets have, not those in their bytes`()
    async throws
  {
    let row = try await store.save(SnippetDraft(.bytes(Self.wav(title: "Old"))))
    try await store.apply(SnippetEdit(title: "New"), to: row.id)
    let untitled = try await store.save(SnippetDraft(.bytes(Self.wav(title: "Other")), title: ""))
    let export = TemporaryDirectory.file("export")
    try await store.export(to: export)
    let copy = try TemporaryStore.open("copy.sqlite")

    try await copy.importFiles(at: [export])

    let titles = try copy.list(order: .byTitle).rows(in: 0..<9).map(\.title)
    #expect(titles == ["", "New"])
    #expect(untitled.title == "")
  }
}
