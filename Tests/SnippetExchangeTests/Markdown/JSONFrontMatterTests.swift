import Foundation
import SnippetBase
import Testing

@testable import SnippetExchange

/// Front matter in JSON, which Hugo reads too.
struct JSONFrontMatterTests {
  private static let fields = """
    {
    \t"title": "A plan {2024} \\"now\\"",
      "date": "2024-01-05T10:00:00+01:00",
      "lastmod": "2024-02-06", "weight": 3, "draft": false, "menu": {"main": {"name": "x}"}},
      "tags": ["garden", "two words", "\\ud83c\\udf31"],
      "pinned": true
    }
    """

  @Test(arguments: ["\n", "\r\n", ""])
  func `title, tags, dates and a pin are read from JSON`(lineEnd: String) {
    let text = Self.fields + (lineEnd.isEmpty ? "" : "\n# The plan #text\n")
    let note = NoteMetadata(text.replacing("\n", with: lineEnd.isEmpty ? "\n" : lineEnd))

    #expect(note.frontMatterFlaw == nil)
    #expect(note.title == "A plan {2024} \"now\"")
    #expect(note.listedTags == ["garden", "two words", "🌱"])
    #expect(note.tags == note.listedTags + (lineEnd.isEmpty ? [] : ["text"]))
    #expect(note.createdAt?.timeIntervalSince1970 == 1_704_445_200)
    #expect(note.modifiedAt == WrittenDate(2024, 2, 6)?.date())
    #expect(note.isPinned && note.unread.isEmpty)
  }

  @Test func `an object on one line counts, with a mark of UTF-8 before it too`() {
    #expect(NoteMetadata("{\"title\": \"x\"}\ntext").title == "x")
    #expect(NoteMetadata("\u{FEFF}{ \"title\" : \"x\" } \t\ntext").title == "x")
    #expect(NoteMetadata("{\"title\": \"x\"}").title == "x")
  }

  @Test(arguments: [
    "{{ template }}\ntext", "{% raw %}\n", "{title: x}\n", "{}\n", "{\"title\": \"x\"} and more\n",
    "{\n  text\n}\n", " {\"title\": \"x\"}\n", "{", "{\"a\nb", "[{\"title\": \"x\"}]\n",
  ])
  func `other braces are text`(text: String) {
    let note = NoteMetadata(text)
    #expect(note.title == nil && note.frontMatterFlaw == nil)
    #expect(FrontMatterEdit(title: "y").applied(to: text) == "---\ntitle: \"y\"\n---\n\(text)")
  }

  @Test(arguments: [
    ("{\n  \"title\": \"x\"\n} text\n", "a text follows its last brace"),
    ("{\n  \"title\": \"x\"\ntext", "its braces do not close"),
    ("{\"title\": \"x\", \"tags\": [\"a\"", "its braces do not close"),
    ("{ \"title\": \"x\",\n  \"date\": \"2024\ntext\n", "its braces do not close"),
    ("\u{FEFF}{\n  \"title\": \"x\"\ntext", "its braces do not close"),
    ("{\r\n  \"title\": \"x\"\r\ntext", "its braces do not close"),
  ])
  func `what is nearly JSON is told to be ignored`(text: String, reason: String) {
    #expect(NoteMetadata(text).frontMatterFlaw == FrontMatterFlaw(reason: reason, line: 1))
  }

  @Test(
    arguments: [
      ("\"a\": x,\n\"title\": \"T\"", Self.noValue, 2),
      ("\"title\": \"T\",\n\"a\": 'x'", Self.noValue, 3),
      ("\"title\": \"T\",\n\"a\": 1 \"b\": 2", Self.noValue, 3),
      (
        "\"a\": 1,\nb: 2,\n\"title\": \"T\"",
        "the name of a field has no quotes, or no colon behind it", 3
      ),
      ("\"title\": \"T\",,\n\"a\": 1", "a comma stands behind another", 2),
      ("\"title\": \"T\", // it's\n\"a\": 1", "a comment stands in it", 2),
      ("\"a\": /* x */ 1,\n\"title\": \"T\"", "a comment stands in it", 2),
      (
        "\"title\": \"T\",\n\"a\": \"x\ny\"",
        "“a” has characters that a text in JSON must not have", 3
      ),
    ] as [(String, String, Int)]
  )
  func `an irregular field of JSON costs no other, and its line is named`(
    fields: String,
    reason: String,
    line: Int
  ) {
    let note = NoteMetadata(
      "{\n\(fields),\n\"tags\": [\"t /* // u\"],\n\"pinned\": true\n}\ntext\n"
    )

    #expect(note.frontMatterFlaw == FrontMatterFlaw(reason: reason, line: line))
    #expect(note.title == "T" && note.isPinned, "\(note)")
    #expect(note.listedTags == ["t /* // u"] && note.unread.isEmpty, "\(note)")
  }

  private static let noValue = "the value of “a” is not JSON, or no comma stands behind it"

  @Test func `each irregular field of JSON is named with its line`() {
    let note = NoteMetadata("{\n\"a\": x,\n\"b\": y,\n\"date\": \"soon\",\n\"tags\": [\"t\"]\n}\n")

    #expect(note.frontMatterFlaw?.line == 2 && note.tags == ["t"])
    #expect(note.unread.compactMap(\.line) == [3], "\(note.unread)")
    #expect(note.unread.count == 2, "\(note.unread)")
  }

  @Test(arguments: [("\"a\": x,\n", 900), ("\"a\": x,\n", 6_000), ("/**/,", 6_000), ("[,", 20_000)])
  func `many irregular fields are read in bounded time`(field: String, count: Int) {
    let fields = String(repeating: field, count: count)
    let note = NoteMetadata("{\"title\": \"T\",\n\(fields)\"tags\": [\"t\"]}\ntext\n")
    #expect(note.frontMatterFlaw != nil)
  }

  @Test func `an edit leaves irregular JSON alone`() {
    #expect(FrontMatterEdit(tags: ["b"]).applied(to: "{\"title\": \"T\", \"a\": x}\n") == nil)
  }

  @Test(arguments: ["", "\n  "])
  func `JSON that is too long is told to be ignored, on one line too`(start: String) {
    let words = String(repeating: "x", count: 70_000)
    let object = "{\(start)\"title\": \"x\", \"text\": \"\(words)\"}"
    let tooLong = "it is longer than 64 KiB"

    for text in [object, object + "\n", "\u{FEFF}" + object + " \r\ntext"] {
      #expect(NoteMetadata(text).frontMatterFlaw?.reason == tooLong)
    }
    let cut = NoteMetadata(String(object.dropLast()))
    #expect(cut.frontMatterFlaw?.reason == "\(tooLong), or its braces do not close")
    // As one that is not too long.
    let text = NoteMetadata(object + " and more\n")
    let reason = start.isEmpty ? nil : "a text follows its last brace"
    #expect(text.frontMatterFlaw?.reason == reason)
  }

  @Test(.timeLimit(.minutes(30)))
  func `JSON with lists within lists is told to be ignored, in time`() throws {
    let (open, close) = (String(repeating: "[", count: 505), String(repeating: "]", count: 505))
    let text = "{\"a\":\(open)\(String(repeating: "{},", count: 20_000))1\(close)}\ntext\n"

    let flaw = try #require(NoteMetadata(text).frontMatterFlaw)

    #expect(flaw.reason == "more than 16 lists and objects are within one another")
  }

  @Test func `a value that says nothing is told`() {
    let note = NoteMetadata("{\"title\": [\"x\"], \"date\": \"soon\", \"tags\": [1, {}]}\n")
    #expect(note.unread.count == 3, "\(note.unread)")
    #expect(note.tags == ["1"])
  }

  @Test func `JSON is not changed`() {
    #expect(FrontMatterEdit(title: "y").applied(to: Self.fields) == nil)
    #expect(FrontMatterEdit(tags: []).applied(to: Self.fields + "\ntext") == nil)
    #expect(FrontMatterEdit().applied(to: Self.fields) == Self.fields)
  }
}
