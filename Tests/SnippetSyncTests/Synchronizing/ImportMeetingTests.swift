import Foundation
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import Testing

/// Imports of the same files on two devices.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ImportMeetingTests {
  private let folder = TemporaryDirectory.file("Notes")

  private func writeFiles(_ texts: [String: String]) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in texts {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
  }

  @Test func `an import after a synchronization makes nothing twice`() async throws {
    let pair = try await SyncedPair()
    try writeFiles(["a.md": "the note a", "b.md": "the note b"])
    _ = try await pair.laptop.store.importFiles(at: [folder])
    try await pair.meet()

    let report = try await pair.phone.store.importFiles(at: [folder])
    try await pair.meet()

    #expect(report[.imported] == 0)
    #expect(try pair.phone.rows().count == 2)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `of files that both import before they meet, each is one snippet`() async throws {
    let pair = try await SyncedPair()
    try writeFiles(
      Dictionary(uniqueKeysWithValues: (1...40).map { ("note \($0).md", "the note \($0)") })
    )
    for device in [pair.laptop, pair.phone] {
      #expect(try await device.store.importFiles(at: [folder])[.imported] == 40)
    }
    // Edited before they meet: two texts, and both stay.
    let edited = try #require(try pair.phone.rows().first)
    _ = try await pair.phone.store.apply(SnippetEdit(text: "edited here"), to: edited.id)
    try await pair.meet()

    #expect(try pair.laptop.rows().count == 41)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
    for device in [pair.laptop, pair.phone] {
      #expect(try await device.store.importFiles(at: [folder])[.imported] == 0)
      #expect(try await device.store.check().isSound)
      #expect(try device.rows().count == 41)
    }
  }

  @Test func `files that both import have the title, the pin and the tags that a person gave`()
    async throws
  {
    let pair = try await SyncedPair()
    try writeFiles(["note.md": "the note", "other.md": "the other note"])
    try Samples.png.write(to: folder.appendingPathComponent("red.png"))
    _ = try await pair.laptop.store.importFiles(at: [folder])
    // The file is written again after that, so that what the phone makes of it is later.
    let other = try #require(try pair.laptop.rows().first { $0.title == "other" })
    let named = try await pair.laptop.store.apply(SnippetEdit(title: "Given here"), to: other.id)
    try FileManager.default.setAttributes(
      [.modificationDate: named.modifiedAt + 0.005],
      ofItemAtPath: folder.appendingPathComponent("other.md").path
    )
    _ = try await pair.phone.store.importFiles(at: [folder])
    for title in ["note", "red"] {
      let row = try #require(try pair.phone.rows().first { $0.title == title })
      let edit = SnippetEdit(title: "My \(title)", isPinned: true, addedTags: ["mine"])
      _ = try await pair.phone.store.apply(edit, to: row.id)
    }

    try await pair.meet()

    let rows = try pair.laptop.rows()
    #expect(Set(rows.map(\.title)) == ["My note", "My red", "Given here"])
    #expect(rows.allSatisfy { $0.isPinned == ($0.title != "Given here") })
    #expect(rows.filter { $0.tags == ["mine"] }.count == 2)
    #expect(try await pair.phone.contents() == pair.laptop.contents())
  }

  @Test func `a file that changes is an edit for all devices`() async throws {
    let pair = try await SyncedPair()
    try writeFiles(["a.md": "the note"])
    _ = try await pair.laptop.store.importFiles(at: [folder])
    try await pair.meet()

    try writeFiles(["a.md": "the note, edited in its file"])
    _ = try await pair.laptop.store.importFiles(at: [folder])
    try await pair.meet()

    let row = try #require(try pair.phone.rows().first)
    #expect(try await pair.phone.store.text(of: row.id) == "the note, edited in its file")
    #expect(try pair.phone.rows().count == 1)
  }
}
