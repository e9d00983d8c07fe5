import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Texts within pictures that another program changes after they were imported.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct EmbeddedTextsTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("vault")
  }

  /// A JPEG with a description and keywords.
  private func picture(_ note: String, _ tags: [String]) throws -> Data {
    let words = tags.map { "<rdf:li>\($0)</rdf:li>" }.joined()
    let description =
      note.isEmpty
      ? ""
      : """
      <dc:description><rdf:Alt><rdf:li xml:lang="x-default">\(note)</rdf:li></rdf:Alt>
      </dc:description>
      """
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
         \(description)<dc:subject><rdf:Bag>\(words)</rdf:Bag></dc:subject>
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      """
    return Data(try #require(DatedPicture.withXMP(packet).first))
  }

  @Test func `a description and keywords follow the bytes, and nothing is written beside them`()
    async throws
  {
    try tree.add("a.jpg", picture("First", ["one", "both"]))
    try await importVault()
    let id = try #require(try row("a")?.id)
    #expect(try await store.note(of: id) == "First")
    try await store.apply(SnippetEdit(addedTags: ["mine"]), to: id)
    try tree.add("a.jpg", picture("Second, longer", ["two", "both"]))

    #expect(try await importVault()[.updated] == 1)

    #expect(try await store.note(of: id) == "Second, longer")
    #expect(try Set(store.row(id)?.tags ?? []) == ["both", "mine", "two"])
    try await store.exportMarkdown(to: tree.url)
    let side = try tree.text("a.jpg.md")
    #expect(side.contains("mine") && !side.contains("First") && !side.contains("one"), "\(side)")

    try tree.add("a.jpg", picture("", ["two"]))
    try await importVault()
    #expect(try await store.note(of: id).isEmpty)
    #expect(try Set(store.row(id)?.tags ?? []) == ["mine", "two"])
  }

  @Test func `what a person gave stays, and a description that does not arrive is named`()
    async throws
  {
    try tree.add("a.jpg", picture("First", ["one", "both"]))
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(note: "Mine", removedTags: ["both"]), to: id)
    try tree.add("a.jpg", picture("Second, longer", ["both"]))

    let (report, events) = try await store.importAll([tree.url])

    #expect(report[.updated] == 1 && report[.unreadValue] == 1, "\(events)")
    let reason = events.first { $0.outcome == .unreadValue }?.error?.reason
    #expect(reason == "the snippet has another note than “Second, longer”")
    #expect(try await store.note(of: id) == "Mine")
    #expect(try store.row(id)?.tags == [])
  }

  @Test(arguments: ["Second, longer", ""])
  func `a note beside a picture comes together with new bytes, in place of that in the former ones`(
    embedded: String
  ) async throws {
    try tree.add("a.jpg", picture("First", ["one"]))
    try await importVault()
    let id = try #require(try row("a")?.id)
    try tree.add("a.jpg", picture(embedded, ["two"]))
    let json = #"{"title": "a.jpg", "description": "Told", "photoTakenTime": {"timestamp": "99"}}"#
    try tree.add("a.jpg.json", json)

    let (report, events) = try await store.importAll([tree.url])

    #expect(report[.updated] == 1 && report[.unreadValue] == 0, "\(events)")
    #expect(try await store.note(of: id) == "Told")
  }

  /// A JPEG that was taken on a day in March 2024, at noon UTC, or on none.
  private func picture(day: Int?) -> Data {
    let moment = day.map { "2024:03:0\($0) 12:00:00" }
    return Data(DatedPicture.jpeg(moment.map { DatedPicture.exif($0, zone: "+00:00") } ?? []))
  }

  /// Noon UTC on a day in March 2024.
  private func noon(_ day: Int) -> Date {
    Date(timeIntervalSince1970: 1_709_294_400 + Double(day - 1) * 86_400)
  }

  @Test(arguments: [1, nil] as [Int?])
  func `a date within a picture that another program changes or adds is followed`(
    first: Int?
  ) async throws {
    try tree.add("a.jpg", picture(day: first))
    try await importVault()
    let id = try #require(try row("a")?.id)
    try tree.add("a.jpg", picture(day: 5))

    let (report, events) = try await store.importAll([tree.url])

    #expect(report[.updated] == 1 && report[.unreadValue] == 0, "\(events)")
    #expect(try store.row(id)?.createdAt == noon(5))
    // One that is gone says nothing.
    try tree.add("a.jpg", picture(day: nil))
    try await importVault()
    #expect(try store.row(id)?.createdAt == noon(5))
  }

  @Test func `a date that a person gave stays, and the one that does not arrive is named`()
    async throws
  {
    try tree.add("a.jpg", picture(day: 1))
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(createdAt: noon(3)), to: id)
    try tree.add("a.jpg", picture(day: 5))

    let (report, events) = try await store.importAll([tree.url])

    #expect(report[.updated] == 1 && report[.unreadValue] == 1, "\(events)")
    let reason = events.first { $0.outcome == .unreadValue }?.error?.reason
    #expect(reason == "the snippet has another date of creation than “2024-03-05T12:00:00.000Z”")
    #expect(try store.row(id)?.createdAt == noon(3))
  }

  @Test func `a keyword that a person removed stays off when its picture is renamed`()
    async throws
  {
    try tree.add("a.jpg", picture("First", ["one"]))
    try await importVault()
    let id = try #require(try row("a")?.id)
    try await store.apply(SnippetEdit(removedTags: ["one"]), to: id)
    try tree.move("a.jpg", to: "b.jpg")

    #expect(try await importVault()[.moved] == 1)

    #expect(try store.row(id)?.title == "b" && store.row(id)?.tags == [])
  }
}
