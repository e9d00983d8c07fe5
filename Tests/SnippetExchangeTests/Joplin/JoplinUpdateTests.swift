import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// What Joplin has exported again, and how it gets out as Markdown.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct JoplinUpdateTests {
  let store: SnippetStore
  let joplin: JoplinTree
  let out = TemporaryDirectory.file("out")

  init() throws {
    store = try TemporaryStore.open()
    joplin = try JoplinTree("joplin")
  }

  private func makeExport(_ joplin: JoplinTree, _ body: String = "Milk") throws {
    let time = body == "Milk" ? "2021" : "2022"
    try joplin.item(1, 1, "List\n\n\(body)", ["updated_time: \(time)-02-03T04:05:06.789Z"])
    try joplin.item(2, 1, "Other\n\nsee [it](:/\(JoplinTree.id(1)))")
    try joplin.item(3, 4, "photo.png", ["file_extension: png"])
    try joplin.tree.add("resources/\(JoplinTree.id(3)).png", Samples.png)
    try joplin.item(4, 5, body == "Milk" ? "old" : "new")
    try joplin.item(5, 6, "", ["note_id: \(JoplinTree.id(1))", "tag_id: \(JoplinTree.id(4))"])
  }

  @Test(arguments: [true, false])
  func `a note that was changed there is updated, in the same folder or another`(
    isSame: Bool
  ) async throws {
    try makeExport(joplin)
    try await store.importFiles(at: [joplin.tree.url])
    let id = try store.row(titled: "List").id
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: id)
    let second = isSame ? joplin : try JoplinTree("second")
    try makeExport(second, "Milk, eggs")

    let report = try await store.importFiles(at: [second.tree.url])

    #expect(report[.updated] == 1 && report[.unchanged] == 2, "\(report)")
    let updated = try #require(try store.row(id))
    #expect(updated.tags == ["mine", "new"])
    #expect(updated.modifiedAt.timeIntervalSince1970 == 1_643_861_106.789)
    #expect(try await store.text(of: id) == "Milk, eggs")
    #expect(try await store.importFiles(at: [second.tree.url])[.unchanged] == 3)
    #expect(try store.list().count == 3)
    #expect(try await store.check().isSound)
  }

  @Test func `an older export replaces no newer note`() async throws {
    let second = try JoplinTree("second")
    try makeExport(second, "Milk, eggs")
    try await store.importFiles(at: [second.tree.url])
    let id = try store.row(titled: "List").id
    try makeExport(joplin)

    let report = try await store.importFiles(at: [joplin.tree.url])

    #expect(report[.leftOut] == 1 && report[.updated] == 0, "\(report)")
    #expect(try await store.text(of: id) == "Milk, eggs")
    #expect(try await store.importFiles(at: [second.tree.url])[.unchanged] == 3)
  }

  @Test func `an export whose notes are all older leaves no folder in the store`() async throws {
    let second = try JoplinTree("second")
    try second.item(1, 1, "List\n\nMilk, eggs", ["updated_time: 2022-02-03T04:05:06.789Z"])
    try joplin.item(1, 1, "List\n\nMilk", ["updated_time: 2021-02-03T04:05:06.789Z"])
    try await store.importFiles(at: [second.tree.url])

    for _ in 0..<2 {
      #expect(try await store.importFiles(at: [joplin.tree.url])[.leftOut] == 1)
      let known = try await store.seam.read(to: "test") { db in
        try OriginStatements(db: db).folders().map(\.path)
      }
      #expect(known.count == 1 && known.first?.fileName == "second")
    }
    #expect(try await store.importFiles(at: [second.tree.url])[.unchanged] == 1)
    #expect(try await store.check().isSound)
  }

  @Test func `a note that was changed on both sides is kept in both versions`() async throws {
    try makeExport(joplin)
    try await store.importFiles(at: [joplin.tree.url])
    let id = try store.row(titled: "List").id
    try await store.apply(SnippetEdit(text: "Bread"), to: id)
    #expect(try await store.importFiles(at: [joplin.tree.url])[.unchanged] == 3)
    try makeExport(joplin, "Milk, eggs")

    let report = try await store.importFiles(at: [joplin.tree.url])

    #expect(report[.conflict] == 1 && report[.updated] == 0, "\(report)")
    #expect(try await store.text(of: id) == "Bread")
    #expect(try store.list().count == 4)
    #expect(try await store.importFiles(at: [joplin.tree.url])[.unchanged] == 3)
    try makeExport(joplin, "Milk, eggs, flour")
    #expect(try await store.importFiles(at: [joplin.tree.url])[.updated] == 1)
    #expect(try await store.text(of: id) == "Bread")
  }

  @Test func `a title that is given later replaces that of the first line or of the file`()
    async throws
  {
    try joplin.item(1, 1, "\n\nMilk")
    try joplin.item(2, 1, "\n\nBread")
    try joplin.item(3, 4, "\n", ["file_extension: png"])
    try joplin.tree.add("resources/\(JoplinTree.id(3)).png", Samples.png)
    try await store.importFiles(at: [joplin.tree.url])
    let milk = try store.row(titled: "Milk").id
    let bread = try store.row(titled: "Bread").id
    try await store.apply(SnippetEdit(title: "Mine"), to: bread)
    try joplin.item(1, 1, "List\n\nMilk and eggs")
    try joplin.item(2, 1, "Other\n\nBread")
    try joplin.item(3, 4, "photo.png", ["file_extension: png"])

    let report = try await store.importFiles(at: [joplin.tree.url])

    #expect(report[.updated] == 3, "\(report)")
    #expect(try store.row(milk)?.title == "List" && store.row(bread)?.title == "Mine")
    #expect(try store.row(titled: "photo.png").kind == .image)
  }

  @Test func `a title that was changed on both sides is named, once`() async throws {
    try makeExport(joplin)
    try await store.importFiles(at: [joplin.tree.url])
    let id = try store.row(titled: "List").id
    try await store.apply(SnippetEdit(title: "Mine"), to: id)
    try joplin.item(1, 1, "Groceries\n\nMilk")

    let (report, events) = try await store.importAll([joplin.tree.url])

    #expect(report[.updated] == 1 && report[.unreadValue] == 1, "\(events)")
    let reason = events.first { $0.outcome == .unreadValue }?.error?.reason
    #expect(reason == "the snippet has another title than “Groceries”")
    #expect(try store.row(id)?.title == "Mine")
    #expect(try await store.importFiles(at: [joplin.tree.url])[.unreadValue] == 0)
  }

  @Test func `tags of notebooks stay at an import without them, and follow at one with them`()
    async throws
  {
    func export(notebook: Int, tag: Bool = true) throws {
      try joplin.item(1, 1, "List\n\nMilk", ["parent_id: \(JoplinTree.id(notebook))"])
      try joplin.item(2, 2, "Work")
      try joplin.item(3, 2, "Home")
      try joplin.item(4, 5, "old")
      let note = JoplinTree.id(tag ? 1 : 9)
      try joplin.item(5, 6, "", ["note_id: \(note)", "tag_id: \(JoplinTree.id(4))"])
    }
    let options = ImportOptions(makesTagsOfFolders: true)
    try export(notebook: 2)
    try await store.importFiles(at: [joplin.tree.url], options: options)
    let id = try store.row(titled: "List").id
    #expect(try store.row(id)?.tags == ["old", "Work"])

    #expect(try await store.importFiles(at: [joplin.tree.url])[.unchanged] == 1)
    try export(notebook: 3, tag: false)
    #expect(try await store.importFiles(at: [joplin.tree.url])[.updated] == 1)
    #expect(try store.row(id)?.tags == ["Work"])
    #expect(try await store.importFiles(at: [joplin.tree.url], options: options)[.updated] == 1)
    #expect(try store.row(id)?.tags == ["Home"])
    // One that was removed stays off.
    try await store.apply(SnippetEdit(removedTags: ["Home"]), to: id)
    #expect(try await store.importFiles(at: [joplin.tree.url], options: options)[.unchanged] == 1)
    #expect(try store.row(id)?.tags == [])
  }

  @Test func `a note that went to the trash there is named, once`() async throws {
    try joplin.item(1, 1, "List\n\nMilk")
    try await store.importFiles(at: [joplin.tree.url])
    try joplin.item(1, 1, "List\n\nMilk", ["deleted_time: 1700000000000"])

    let (report, events) = try await store.importAll([joplin.tree.url])

    #expect(report[.unchanged] == 1 && report[.unreadValue] == 1, "\(events)")
    #expect(events.contains { $0.error?.reason.contains("in the trash there") == true })
    #expect(try await store.importFiles(at: [joplin.tree.url])[.unreadValue] == 0)
    #expect(try store.list().count == 1)
  }

  @Test func `a note that is gone there goes to the trash if that is asked for`() async throws {
    try makeExport(joplin)
    try await store.importFiles(at: [joplin.tree.url])
    try joplin.tree.remove("\(JoplinTree.id(2)).md")

    let report = try await store.importFiles(
      at: [joplin.tree.url],
      options: .init(movesMissingToTrash: true)
    )

    #expect(report[.trashed] == 1 && report[.unchanged] == 2, "\(report)")
  }

  @Test func `links to notes and pictures are links to their files`() async throws {
    try joplin.item(
      1,
      1,
      """
      A list (of things)

      [other](:/\(JoplinTree.id(2))#part), ![](:/\(JoplinTree.id(3)) "title")
      <img src=":/\(JoplinTree.id(3))"/> and [none](:/\(JoplinTree.id(9))), http:/\(JoplinTree.id(2))
      [ref]: :/\(JoplinTree.id(2))
      """
    )
    try joplin.item(2, 1, "Other\n\nback to [it](:/\(JoplinTree.id(1)))")
    try joplin.item(3, 4, "a photo", ["file_extension: png"])
    try joplin.tree.add("resources/\(JoplinTree.id(3)).png", Samples.png)
    try await store.importFiles(at: [joplin.tree.url])

    let dry = try await store.exportMarkdown(to: out, options: .init(isDryRun: true))
    let report = try await store.exportMarkdown(to: out)

    #expect(report[.exported] == 3 && report == dry, "\(report)")
    #expect(
      try text("A list (of things).md") == """
        [other](Other.md#part), ![](a%20photo.png "title")
        <img src="a%20photo.png"/> and [none](:/\(JoplinTree.id(9))), http:/\(JoplinTree.id(2))
        [ref]: Other.md
        """
    )
    #expect(try text("Other.md") == "back to [it](A%20list%20%28of%20things%29.md)")
    #expect(try await store.exportMarkdown(to: out)[.unchanged] == 3)
    #expect(try await store.importFiles(at: [out])[.unchanged] == 3)
    #expect(try await store.importFiles(at: [joplin.tree.url])[.unchanged] == 3)
  }

  @Test func `nothing is exported among the items of Joplin`() async throws {
    try makeExport(joplin)
    try await store.importFiles(at: [joplin.tree.url])

    #expect(
      await errorCode { try await store.exportMarkdown(to: joplin.tree.url) } == .alreadyExists
    )
  }

  @Test(
    arguments: [
      ("a.md", "b.md", "a.md"), ("x/a.md", "b.md", "x/a.md"), ("a.md", "x/y/b.md", "../../a.md"),
      ("x/z/a b.md", "x/y/b.md", "../z/a%20b.md"), ("x/a.md", "x/b.md", "a.md"),
    ]
  )
  func `a link leads from the folder of a note`(path: String, note: String, link: String) {
    #expect(ItemLinks.relative(path, to: note) == link)
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: out.appendingPathComponent(name)), as: UTF8.self)
  }
}
