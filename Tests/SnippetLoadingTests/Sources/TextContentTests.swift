import Foundation
import SnippetLoading
import SnippetRecognition
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// Texts in cells: all of one, or its beginning, wherever it is kept and in whatever encoding.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct TextContentTests {
  private static let rules = RecipeRules(
    processors: [TextProcessor.whole, TextProcessor.excerpt],
    recipes: [.text: [.text, .excerpt], .image: [.original]]
  )

  private let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  /// What a cell shows of the first row, once it is at rest.
  private func show(_ cell: RecordingCell, _ loader: SnippetLoader) async {
    loader.show(visible: 0..<1)
    loader.bind(cell, to: 0)
    await loader.settled()
  }

  private func loader() throws -> SnippetLoader {
    try SnippetLoader(
      list: store.list(),
      pipeline: LoadPipeline(store: store),
      rules: Self.rules
    )
  }

  @Test(arguments: [
    (Data("a\0b text here".utf8), "a\0b text here"),
    (
      Data("na\u{EF}ve caf\u{E9}, \u{FC}ber ".utf8) + [0xFF],
      "na\u{EF}ve caf\u{E9}, \u{FC}ber \u{FFFD}"
    ),
  ])
  func `a text with irregular bytes reaches a cell, and its beginning as well`(
    bytes: Data,
    text: String
  ) async throws {
    try await store.save(SnippetDraft(.bytes(bytes), kind: .text))
    let cell = RecordingCell()
    let loader = try loader()

    await show(cell, loader)

    #expect(cell.text(.text) == text)
    #expect(cell.text(.excerpt) == text)
    loader.close()
  }

  // The first is kept with its snippet, the others as blobs.
  @Test(arguments: [
    (3, TextEncoding.utf8), (20_000, .utf8), (200_000, .utf8), (200_000, .utf16LittleEndian),
    (200_000, .shiftJIS), (200_000, .gb18030), (200_000, .iso2022JP),
  ])
  func `a text reaches a cell whole, and its beginning as well`(
    lineCount: Int,
    encoding: TextEncoding
  ) async throws {
    // No blank and no end of a line, so that only characters tell where one begins.
    let words = encoding == .gb18030 ? "中文字符的编码测试内容" : "文字列を表示する"
    let text = String(repeating: words, count: lineCount)
    try await store.save(SnippetDraft(.bytes(try encoded(text, encoding)), kind: .text))
    let cell = RecordingCell()
    let loader = try loader()

    await show(cell, loader)

    #expect(cell.text(.text) == text)
    #expect(cell.text(.excerpt) == String(text.prefix(2_000)))
    loader.close()
  }

  @Test func `an excerpt has all its characters, however large they are`() async throws {
    // Each has 25 bytes.
    let text = String(repeating: "👨‍👩‍👧‍👦", count: 2_100)
    try await store.save(SnippetDraft(.text(text)))
    let cell = RecordingCell()
    let loader = try loader()

    await show(cell, loader)

    #expect(cell.text(.excerpt) == String(text.prefix(2_000)))
    loader.close()
  }

  @Test func `the beginning of a long text is all that an excerpt reads`() async throws {
    let row = try await store.save(SnippetDraft(.bytes(Data(repeating: 0x61, count: 3_000_000))))
    var context = LoadContext()

    try StoreBlobs(store).read(LoadKey(of: row, recipe: .beginning), into: &context)

    #expect(context.bytes == Data(repeating: 0x61, count: 65_536))
  }

  @Test func `an edit that leaves the preview as it is reaches the cell`() async throws {
    let start = String(repeating: "a", count: 300)
    let row = try await store.save(SnippetDraft(.text(start + "old")))
    let cell = RecordingCell()
    let loader = try loader()
    await show(cell, loader)
    #expect(cell.text(.text) == start + "old")

    let edited = try await store.apply(SnippetEdit(text: start + "new"), to: row.id)
    #expect(edited.preview == row.preview)
    loader.reloadRows()
    await loader.settled()
    // The former text stays until the new one is there, and so nothing flickers.
    let standIns = cell.states(of: .text).dropFirst(2).compactMap { state -> String? in
      guard case .loading(let progress) = state else { return nil }
      return progress.standIn?.content(as: String.self) ?? "nothing"
    }
    #expect(standIns.allSatisfy { $0 == start + "old" })
    #expect(cell.text(.text) == start + "new")
    loader.close()
  }

  @Test func `a new title of a long text loads nothing`() async throws {
    let row = try await store.save(SnippetDraft(.text(String(repeating: "long ", count: 20_000))))
    let cell = RecordingCell()
    let loader = try loader()
    await show(cell, loader)
    let loads = loader.counters.loadsStarted

    try await store.apply(SnippetEdit(title: "Other"), to: row.id)
    loader.reloadRows()
    await loader.settled()

    #expect(row.blobID != nil)
    #expect(cell.row?.title == "Other")
    #expect(loader.counters.loadsStarted == loads)
    loader.close()
  }

  @Test func `a text that was deleted meanwhile is not found`() async throws {
    let row = try await store.save(SnippetDraft(.text("short")))
    try await store.delete([row.id])
    var context = LoadContext()

    let error = #expect(throws: LoadError.self) {
      try StoreBlobs(store).read(LoadKey(of: row), into: &context)
    }
    #expect(error?.code == .notFound)
  }

  @Test func `a key is that of a blob, or of a revision of a text`() {
    let (text, image) = (SnippetRow.text(7, "a", revision: 2), SnippetRow.image(7))

    #expect(LoadKey(of: text).content == .snippet(text.id, revision: 2))
    #expect(LoadKey(of: text).blobID == nil)
    #expect(LoadKey(of: text) != LoadKey(of: .text(7, "a", revision: 3)))
    #expect(LoadKey(of: image) == LoadKey(blob: 7))
    #expect(LoadKey(of: image) != LoadKey(of: text))
    #expect("\(LoadKey(of: text, recipe: .text))" == "snippet 7@2 text")
    #expect(LoadKey(of: text).by(.excerpt) == LoadKey(of: text, recipe: .excerpt))
  }

  @Test
  func `a cell that gets another snippet is told first that the parts of the former are gone`() {
    let rows = ScriptedRows([.image(1), .text(2, "two")])
    let rules = RecipeRules(
      processors: [TextProcessor.whole],
      recipes: [.text: [.text], .image: [.original]]
    )
    let fixture = ScriptedLoader(rows: rows, rules: rules)
    fixture.loader.show(visible: 0..<2)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    #expect(cell.states(of: .original).last == fixture.bytes(at: 0))
    cell.onRow = { [weak cell] row in
      if row.kind == .text { #expect(cell?.states(of: .original).last == .idle) }
    }

    fixture.loader.bind(cell, to: 1)

    #expect(cell.row?.id.rawValue == 2)
    #expect(cell.states(of: .original).last == .idle)
  }

  private func encoded(_ text: String, _ encoding: TextEncoding) throws -> Data {
    let foundation: String.Encoding =
      switch encoding {
      case .utf16LittleEndian: .utf16LittleEndian
      case .shiftJIS: .shiftJIS
      case .iso2022JP: .iso2022JP
      case .gb18030: .init(rawValue: 0x8000_0632)
      default: .utf8
      }
    // Nobody could tell the order of the bytes without the mark.
    let mark = encoding == .utf16LittleEndian ? Data([0xFF, 0xFE]) : Data()
    return mark + (try #require(text.data(using: foundation)))
  }
}

extension RecordingCell {
  /// The text that a recipe has given.
  fileprivate func text(_ recipe: Recipe) -> String? {
    guard case .loaded(let blob)? = states(of: recipe).last else { return nil }
    return blob.content(as: String.self)
  }
}
