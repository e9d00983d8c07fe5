import Foundation
import SnippetBase
import Testing

@testable import SnippetExchange

struct FrontMatterMendTests {
  @Test(arguments: ["\n", "\r\n"])
  func `a title with a colon costs no other field, and is the text of its line`(lineEnd: String) {
    let text = "---\ntitle: Meeting: Anna # note\ntags: [a]\ncreated: 2024-03-01\n---\nbody\n"
    let note = NoteMetadata(text.replacing("\n", with: lineEnd))

    #expect(note.title == "Meeting: Anna" && note.listedTags == ["a"])
    #expect(note.createdAt == WrittenDate(2024, 3, 1)?.date())
    #expect(note.frontMatterFlaw?.line == 2 && note.unread.isEmpty, "\(note.unread)")
  }

  @Test(
    arguments: [
      ("title: [a", nil), ("title: \"a", nil), ("title: *a* b", nil), ("title: `a`", nil),
      ("title: a\u{1}b", "ab"), ("a line of words", nil), ("title: a\ntitle: b", "a"),
      ("title: T\nother:\n\t- x", "T"), ("title: T\nother: {{x}", "T"), ("tag: a: b", nil),
      ("title: T\nlist: [\n  a\n]\nother: @x", "T"), ("title: T\na line of words", "T"),
    ] as [(String, String?)]
  )
  func `an irregular field is left out alone`(yaml: String, title: String?) {
    let note = NoteMetadata("---\n\(yaml)\ntags: [t]\npinned: true\n---\n")

    #expect(note.frontMatterFlaw != nil)
    #expect(note.title == title && note.tags == ["t"] && note.isPinned, "\(note)")
  }

  @Test func `each irregular field is named with its line`() {
    let note = NoteMetadata("---\na: @x\ntitle: A: b\nc: %d\ncreated: soon\ntags: [t]\n---\n")

    #expect(note.frontMatterFlaw?.line == 2)
    #expect(note.unread.compactMap(\.line).sorted() == [3, 4, 5], "\(note.unread)")
    #expect(note.title == "A: b" && note.tags == ["t"])
  }

  @Test func `a line within quotes is no field, whatever is irregular beside it`() {
    let note = NoteMetadata("---\nnotes: \"a\npinned: true\nb\"\nother: @x\ntags: [t]\n---\n")
    #expect(!note.isPinned && note.tags == ["t"])
  }

  @Test func `of two values the first counts, and the second is named`() {
    let note = NoteMetadata("---\ntags: [a]\ntitle: x\ntags: [b]\ntitle: y\ndate: @z\n---\n")

    #expect(note.title == "x" && note.tags == ["a"])
    #expect(note.unread.map(\.line) == [4, 5], "\(note.unread)")
    let day = WrittenDate(2024, 3, 1)?.date()
    #expect(NoteMetadata("---\ndate: 2024-03-01\ndate: 2025\n---\n").createdAt == day)
    #expect(NoteMetadata("+++\ndate = 2024-03-01\ndate = 2025\n+++\n").createdAt == day)
    let json = NoteMetadata("{\n\"title\": \"x\",\n\"title\": \"y\"\n}\n")
    let flaw = FrontMatterFlaw(.repeated("title"), line: 3)
    #expect(json.title == "x" && json.frontMatterFlaw == flaw && json.unread.isEmpty)
  }

  @Test func `an alias costs the field that it is in, and is named with its line`() {
    let note = NoteMetadata(
      "---\ntitle: T\na: &a [x]\nb: *a\ntags: [t]\ndate: 2024-03-01\nc: [&c y, *c]\n---\n"
    )

    #expect(note.title == "T" && note.tags == ["t"] && note.createdAt != nil)
    #expect(note.frontMatterFlaw == FrontMatterFlaw(.alias))
    #expect(note.unread.map(\.line) == [4, 7], "\(note.unread)")
    #expect(NoteMetadata("---\na: &a T\ntitle: *a\ntags: [t]\n---\n").tags == ["t"])
  }

  @Test(arguments: ["title: \"a\u{1}b\"", "title: a\u{7F}b", "title: >\n  a\u{1}b"])
  func `a control character in a field costs itself`(yaml: String) {
    let note = NoteMetadata("---\n\(yaml)\nother: \"x\"\ntags: [t]\n---\n")

    #expect(note.title == "ab" && note.tags == ["t"])
    #expect(note.frontMatterFlaw?.reason == "control characters are not allowed")
  }

  @Test(arguments: ["title: Meeting: Anna", "title: T\nother: @x", "title: T\na line of words"])
  func `an edit leaves irregular front matter alone`(yaml: String) {
    let text = "---\n\(yaml)\ntags: [t]\n---\nbody\n"

    #expect(FrontMatterEdit(title: "New").applied(to: text) == nil)
    #expect(FrontMatterEdit(tags: ["t", "new"]).applied(to: text) == nil)
    #expect(FrontMatterEdit(isPinned: true).applied(to: text) == nil)
  }

  @Test(arguments: [
    ("a: [\n", 900), ("a: \"\n", 900), ("a: [\n", 6_000), ("a: \"\n", 6_000),
    ("a: b: c\n", 6_000), ("a: @x\n", 6_000), ("]\n", 6_000),
  ])
  func `many irregular lines are read in bounded time`(line: String, count: Int) {
    let note = NoteMetadata("---\ntags: [t]\n\(String(repeating: line, count: count))---\n")
    #expect(note.frontMatterFlaw != nil && note.tags.isEmpty)
  }
}
