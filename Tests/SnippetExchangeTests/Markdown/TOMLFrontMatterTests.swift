import Foundation
import SnippetBase
import Testing

@testable import SnippetExchange

/// Front matter as Hugo and Zola write it.
struct TOMLFrontMatterTests {
  @Test(arguments: ["\n", "\r\n"])
  func `title, tags, dates and a pin are read from TOML`(lineEnd: String) {
    let text = """
      +++
      title = "A plan = 2024" # not yet
      date = 2024-01-05T10:00:00+01:00
      lastmod = 2024-02-06
      tags = [
        "garden",
        'two words',
      ]
      pinned = true
      [params]
      title = "another"
      +++
      # The plan
      """
    let note = NoteMetadata(text.replacing("\n", with: lineEnd))

    #expect(note.frontMatterFlaw == nil)
    #expect(note.title == "A plan = 2024")
    #expect(note.tags == ["garden", "two words"])
    #expect(note.createdAt?.timeIntervalSince1970 == 1_704_445_200)
    #expect(note.modifiedAt == WrittenDate(2024, 2, 6)?.date())
    #expect(note.isPinned)
  }

  @Test(arguments: ["2024-03-01T10:00:00", "2024-03-01 10:00:00", "2024-03-01T10:00:00.250"])
  func `a date without a zone is one of the time zone here, as in YAML`(date: String) throws {
    let found = try #require(NoteMetadata("+++\ndate = \(date)\n+++\n").createdAt)

    #expect(found == NoteMetadata("---\ndate: \(date)\n---\n").createdAt)
    let utc = NoteMetadata("+++\ndate = \(date)Z\n+++\n").createdAt
    let offset = TimeInterval(TimeZone.current.secondsFromGMT(for: found))
    #expect(utc == found + offset)
  }

  @Test func `the tags of Zola are in a table`() {
    let note = NoteMetadata("+++\ntitle = 'x'\n[taxonomies]\ntags = [\"a\", \"b\"]\n+++\n")
    #expect(note.tags == ["a", "b"])
  }

  @Test(arguments: [
    ("+++\ntitle = x\n+++\n", 2), ("+++\na = 1\na = 2\n+++\n", 3), ("+++\n= 1\n+++\n", 2),
    ("+++\na = [1\n+++\n", 2),
  ])
  func `TOML that cannot be read tells why and where`(text: String, line: Int) throws {
    let flaw = try #require(NoteMetadata(text).frontMatterFlaw)
    #expect(!flaw.reason.isEmpty)
    #expect(flaw.line.map { abs($0 - line) <= 1 } == true, "\(flaw)")
  }

  @Test(arguments: [
    "[ü]", "[=]", "[[.a]]", "[ ,b]", "[ [a]]", "a = [[1], [\n[2]]]\n[#]", "[a] # [\n[/]",
    "a = \"\"\"\n[x\"\"\"\"\"\n[?]", "a = '''\n\\'''\n[+]", "a = \"\\\"[\"\n\t[[ *]]",
  ])
  func `a table whose name begins with a mark is refused, and ends nothing`(toml: String) throws {
    let flaw = try #require(NoteMetadata("+++\n\(toml)\n+++\n").frontMatterFlaw)
    #expect(!flaw.reason.isEmpty)
  }

  // Each part of a key is a table in the one before, and whoever reads them calls itself.
  @Test(arguments: [
    "\(dotted(30_000)) = 1", "[\(dotted(30_000))]\nb = 1", "[[\(dotted(30_000))]]",
    String(repeating: "\(dotted(60)) = { ", count: 250), "\"a\" . \(dotted(200)) = 1",
    "[\(dotted(60))]\n\(dotted(60)) = 1", "a = \(String(repeating: "[", count: 200))",
  ])
  func `tables within one another are refused where they are too many, and end nothing`(
    toml: String
  ) throws {
    let flaw = try #require(NoteMetadata("+++\n\(toml)\n+++\n").frontMatterFlaw)
    #expect(flaw.reason.hasPrefix("more than 100 tables"))
  }

  @Test(arguments: [
    "\(dotted(90)) = 1\n\(dotted(90, "b")) = 1", "[\(dotted(45))]\n\(dotted(45)) = 1",
    "a = [\((0..<500).map { "\($0).5" }.joined(separator: ", "))]",
    "a = { \((0..<200).map { "b\($0).c = 1" }.joined(separator: ", ")) }",
    "a = \"\(String(repeating: ".", count: 500))\" # \(String(repeating: ".", count: 500))",
  ])
  func `tables within one another are read up to a limit`(toml: String) {
    #expect(NoteMetadata("+++\n\(toml)\n+++\n").frontMatterFlaw == nil)
  }

  @Test(
    arguments: [
      ("title = x", nil, 2), ("title = \"a", nil, 2), ("a line of words", nil, 2),
      ("title = 'T'\ndate = 2024-01-05 1", "T", 3), ("größe = 1\ntitle = 'T'", "T", 2),
      ("title = 'a'\ntitle = 'b'", "a", 3), ("a = [\n  x,\n]\ntitle = 'T'", "T", 3),
      ("a = [\n  'x',\ntitle = 'T'", "T", 4), ("a = {b = 1\ntitle = 'T'", "T", 2),
      ("title = 'T'\na = \"\"\"\npinned = false\n\\q\"\"\"", "T", 5),
      ("title = 'T'\na = '''\npinned = false\n'''\nb = x", "T", 6),
      ("title = 'T'\na = [\n  ['b'],\n  [1]\n]\nb = x", "T", 7),
    ] as [(String, String?, Int)]
  )
  func `an irregular field of TOML costs no other`(toml: String, title: String?, line: Int) throws {
    let note = NoteMetadata(
      "+++\n\(toml)\ntags = ['t']\npinned = true\n[params]\ntitle = 'p'\n+++\n"
    )

    let flaw = try #require(note.frontMatterFlaw)
    #expect(flaw.line.map { abs($0 - line) <= 1 } == true, "\(flaw)")
    #expect(note.title == title && note.tags == ["t"] && note.isPinned, "\(note)")
  }

  @Test func `each irregular field of TOML is named with its line`() {
    let note = NoteMetadata("+++\na = x\ntitle = 'T'\nb = y\ntags = ['t']\nc = z\n+++\n")

    #expect(note.frontMatterFlaw?.line == 2)
    #expect(note.unread.map(\.line) == [4, 6], "\(note.unread)")
    #expect(note.title == "T" && note.tags == ["t"])
  }

  @Test(arguments: ["[ü]\npinned = true\n", "[x]\na = 1\n[x]\npinned = true\n"])
  func `the fields of an irregular table do not become those of another`(table: String) {
    let note = NoteMetadata("+++\ntitle = 'T'\ntags = ['t']\n\(table)+++\n")

    #expect(note.frontMatterFlaw != nil)
    #expect(note.title == "T" && note.tags == ["t"] && !note.isPinned, "\(note)")
  }

  @Test(arguments: [
    ("a = [\n", 900), ("a = \"\"\"\n", 900), ("a = [\n", 6_000), ("a = '''\n", 6_000),
    ("a = b\n", 6_000), ("]\n", 20_000), ("a = {\n]\n", 400),
  ])
  func `many irregular lines are read in bounded time`(line: String, count: Int) {
    let note = NoteMetadata("+++\n\(String(repeating: line, count: count))tags = ['t']\n+++\n")
    #expect(note.frontMatterFlaw != nil)
  }

  private static func dotted(_ count: Int, _ name: String = "a") -> String {
    Array(repeating: name, count: count).joined(separator: ".")
  }

  @Test(arguments: [
    "a = [}", "a = [1, }", "a = [[1], {b = 2]}", "a = [ # ]\n }", "a = [\u{2028}]",
    "a = [1,\u{85}2]", "a = {b = [}]}", "a = 1}", "a = 2024-01-05 1", "a = [2024-01-05 1, 2]",
    "a = 2024-01-0_5_ 1 # 2", "a = {b = 2024-01-05 1}", "a = 2024-01-05Tte10:00:00+01:00",
    "a = [2024-01-05t:30, 1]", "a = 2024-01-05T\u{1D}0:00", "a = {b = 2024-01-05T-1:00}",
    "a = 0024-21-0u 1 :0", "a = 0024-21-0\" 1 \"", "a = 1'2'",
  ])
  func `what is no value is refused, and ends nothing`(toml: String) throws {
    let flaw = try #require(NoteMetadata("+++\n\(toml)\n+++\n").frontMatterFlaw)
    #expect(!flaw.reason.isEmpty)
  }

  @Test(arguments: [
    "[a]\nb = 1", "[ \"ü\" ]", "[[a.b]]\n[['c']]", "a = [\n  [\n 1 ], [ ]\n]",
    "a = \"\"\"\n[?]\n\"\"\"", "a = '''\n[?]\n'''\n[b]", "a = [ # [?]\n1]\n[-_9]",
    "a = {b = [1]}\n[c]", "a = 2024-01-05 10:00:00\nb = [ 1, 2 ] # 3 4",
    "a . 1 . 'b' = 1", "a = ['1', \"2\" , 3 ]",
    "2024-01-05Talk = 2024-01-05T10:00:00Z", "2024-01-05tea.b = \"T:\" # 1T:",
  ])
  func `what only looks like such a table is read`(toml: String) {
    #expect(NoteMetadata("+++\n\(toml)\n+++\n").frontMatterFlaw == nil)
  }

  @Test(arguments: [
    ("a = 1 # \u{1}", 2), ("# \u{7F}\na = 1", 2), ("a = [ # \u{2}\n1]", 2), ("a = 1\n# b\rc", 3),
    ("a = 1\nb = [\n1,\n", 3), ("a = 1\nb = [", 3), ("a = 1\nb = \"\"\"\nc\nd", 3),
    ("a = 1\nb = '''", 3), ("a = 1\nb = 'c\nd = 1", 3),
  ])
  func `a control character in a comment, and what has no end, are named with their line`(
    toml: String,
    line: Int
  ) {
    #expect(NoteMetadata("+++\n\(toml)\n+++\n").frontMatterFlaw?.line == line)
  }

  @Test(arguments: ["[a.b.c.d]\n[a.b]\nc.e = 1", "[[a.b.c]]\n[a]\nb.e = 1\nb.f = 2"])
  func `a key may add to a table that only the name of another one has made`(toml: String) {
    #expect(NoteMetadata("+++\n\(toml)\n+++\n").frontMatterFlaw == nil)
    // Then that is no name for a table any more.
    let again = toml.hasPrefix("[[") ? "[a.b]" : "[a.b.c]"
    #expect(NoteMetadata("+++\n\(toml)\n\(again)\n+++\n").frontMatterFlaw != nil)
  }

  @Test func `a name with a zero byte ends nothing`() {
    let note = NoteMetadata("+++\ntitle = 'x'\n\"a\\u0000b\" = [1, {\"\\u0000\" = 2}]\n+++\n")

    #expect(note.frontMatterFlaw == nil)
    #expect(note.title == "x")
  }

  @Test func `a date that is not understood is named`() {
    let note = NoteMetadata("+++\ndate = \"soon\"\ntags = [\"a\"]\n+++\n")
    #expect(note.unread.map(\.reason) == ["“soon” is no date that can be read in one way (date)"])
    #expect(note.tags == ["a"])
  }

  @Test(arguments: [
    (
      "title = 'Old'\ntags = ['a', \"b\"]\n",
      FrontMatterEdit(title: "New \"x\"", tags: ["a", "c"]),
      "title = \"New \\\"x\\\"\"\ntags = ['a', \"c\"]\n"
    ),
    (
      "tags = [\n    \"a\",\n    \"b\",\n]\ndate = 2024-01-05\n",
      FrontMatterEdit(tags: ["b", "c"]),
      "tags = [\n    \"b\",\n    \"c\",\n]\ndate = 2024-01-05\n"
    ),
    (
      "date = 2024-01-05\n\n[params]\ntitle = \"p\"\n", FrontMatterEdit(title: "T", isPinned: true),
      "date = 2024-01-05\n\ntitle = \"T\"\npinned = true\n[params]\ntitle = \"p\"\n"
    ),
    ("tags=['a']\nweight = 3\n", FrontMatterEdit(tags: []), "weight = 3\n"),
    ("pinned = true\n", FrontMatterEdit(isPinned: false), ""),
    ("title = '#1'# mine\n", FrontMatterEdit(title: "A"), "title = \"A\"# mine\n"),
  ])
  func `only the lines of what changes are written anew`(
    toml: String,
    edit: FrontMatterEdit,
    edited: String
  ) {
    for lineEnd in ["\n", "\r\n"] {
      let text = "+++\n\(toml)+++\ntext\n".replacing("\n", with: lineEnd)
      let expected = "+++\n\(edited)+++\ntext\n".replacing("\n", with: lineEnd)
      #expect(edit.applied(to: text) == expected)
    }
  }

  @Test(arguments: [
    "tags = [\"a\", 1979-05-27, {x = 1}]\n", "[taxonomies]\ntags = [\"a\"]\n",
    "tags = \"\"\"\na\nb\"\"\"\n", "title = x\n",
  ])
  func `TOML that cannot be changed line by line is left alone`(toml: String) {
    #expect(FrontMatterEdit(tags: ["b"]).applied(to: "+++\n\(toml)+++\n") == nil)
  }
}
