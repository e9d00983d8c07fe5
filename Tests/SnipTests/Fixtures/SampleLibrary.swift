import Foundation
import SnippetStorage
import SnippetTestSupport

/// A small store with one snippet of each sort, made in the folder of the running test case.
enum SampleLibrary {
  static let shopping = "Milk, eggs, bread\nand a newspaper\n"
  static let longText = Samples.longText("é")
  static let latin1 =
    "Grüße aus Köln über die Autobahn nach München\n".data(using: .isoLatin1) ?? Data()
  static let picture = Samples.png
  static let recording = Samples.wav(frameCount: 12_000)

  /// The bytes of snippets 1 to 5.
  static var contents: [Data] {
    [Data(shopping.utf8), picture, recording, Data(longText.utf8), latin1]
  }

  /// Makes the store; it is closed again, and checked at the end of the test case.
  static func make() async throws {
    try await template.copy()
  }

  /// Makes the store with the recording in the trash, and beside it copy.sqlite, where it is not.
  static func makeWithTrash() async throws {
    try await templateWithTrash.copy()
    try await template.copy(as: "copy.sqlite")
  }

  private static let template = StoreTemplate(fill)

  private static let templateWithTrash = StoreTemplate { store in
    try await fill(store)
    try await store.moveToTrash([SnippetID(rawValue: 3)])
  }

  @Sendable private static func fill(_ store: SnippetStore) async throws {
    var drafts = [
      SnippetDraft(.text(shopping), tags: ["shopping", "Home"], isPinned: true),
      Samples.image(picture, title: "Harbour", tags: ["holiday"]),
      SnippetDraft(.bytes(recording), title: "Memo"),
      SnippetDraft(.text(longText), title: "A long one", tags: ["home"]),
      SnippetDraft(.bytes(latin1), title: "An older encoding"),
    ]
    drafts[1].mediaType = nil
    for (number, var draft) in drafts.enumerated() {
      draft.createdAt = Samples.date.addingTimeInterval(Double(number) * 86_400)
      try await store.save(draft)
    }
  }

  static let wideText = """
    四季の俳句ノートには、はるかぜに揺れるしおりのひもと、かき氷がとけないうちの内緒ごとがある。

    A plain line that is longer than most terminals are wide, with words of several lengths in it.
    """

  /// Makes the store wide.sqlite, whose one text has wide characters and stands in every column.
  static func makeWide() async throws {
    try await wideTemplate.copy(as: "wide.sqlite")
  }

  private static let wideTemplate = StoreTemplate { store in
    try await store.save(SnippetDraft(.text(wideText), tags: ["a"], createdAt: Samples.date))
  }

  /// Makes a store of many short texts, titled Note 0 and so on, the last one the newest.
  static func make(textCount: Int) async throws {
    let store = try TemporaryStore.open()
    try await store.save(
      contentsOf: (0..<textCount).lazy.map { number in
        SnippetDraft(
          .text("Body of note \(number)"),
          title: "Note \(number)",
          createdAt: Samples.date.addingTimeInterval(Double(number))
        )
      }
    )
    try await store.close()
  }
}
