import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// The lines of dates in the files beside pictures and recordings.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5)))
struct SideFileDatesTests {
  @Test(arguments: ["\n", "\r\n"])
  func `a date that was edited in the store replaces its line alone`(lineEnd: String) async throws {
    func text(_ date: Date) -> String {
      [
        "---", "created: \(date.iso8601Milliseconds)", "aliases: [sea]",
        "note-of: \"[[photo.png]]\"", "---", "", "The beach", "",
      ]
      .joined(separator: lineEnd)
    }
    let store = try TemporaryStore.open()
    let tree = try FileTree("vault")
    try tree.add("photo.png", Samples.png)
    try tree.add("photo.png.md", text(Samples.date))
    try await store.importFiles(at: [tree.url])
    let row = try #require(try store.list().row(at: 0))
    #expect(row.createdAt == Samples.date)
    let date = Samples.date.addingTimeInterval(86_400.125)
    try await store.apply(SnippetEdit(createdAt: date), to: row.id)

    #expect(try await store.exportMarkdown(to: tree.url)[.updated] == 1)

    #expect(try tree.text("photo.png.md") == text(date))
    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 2)
    #expect(try await store.importFiles(at: [tree.url])[.unchanged] == 2)
  }

  static let edits: [(fields: String, edited: String?)] = [
    ("Created: 2001-02-03\nx: 1", "Created: 2017-07-14T02:40:00.125Z\nx: 1"),
    ("date: 2001-02-03", "date: 2001-02-03\ncreated: 2017-07-14T02:40:00.125Z"),
    ("created: some day\ndate: 2001-02-03", nil),
    ("created: some day", nil),
  ]

  @Test(arguments: edits)
  func `a new date takes the place of the former one, but not of other words`(
    fields: String,
    edited: String?
  ) {
    let edit = FrontMatterEdit(createdAt: Date(timeIntervalSince1970: 1_500_000_000.125))

    let text = edit.applied(to: "---\n\(fields)\n---\n")

    #expect(text == edited.map { "---\n\($0)\n---\n" })
  }
}
