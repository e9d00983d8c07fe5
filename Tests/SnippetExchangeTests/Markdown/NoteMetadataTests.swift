import Foundation
import SnippetBase
import Testing

@testable import SnippetExchange

struct NoteMetadataTests {
  @Test(arguments: ["a.md", "A.MD", "a.markdown", "a.mdown", "a.mdx", "a.qmd", "a.Rmd"])
  func `a file of any program that writes Markdown is a note`(name: String) {
    #expect(NoteMetadata.isMarkdown(name: name))
  }

  // MARK: - Front matter

  @Test func `lines of old Macs are lines`() {
    let text = "---\rtitle: Classic\rtags: [mac, old]\r---\r# Heading\rtext #tagged\r"
    let note = NoteMetadata(text)

    #expect(note.title == "Classic" && note.tags == ["mac", "old", "tagged"])
    #expect(
      FrontMatterEdit(title: "Other").applied(to: text)
        == "---\rtitle: Other\rtags: [mac, old]\r---\r# Heading\rtext #tagged\r"
    )
    #expect(FrontMatterEdit(title: "New").applied(to: "a\rb\r") == "---\rtitle: New\r---\ra\rb\r")
  }

  @Test(arguments: ["\n", "\r\n"])
  func `title, tags, dates and a pin are read from front matter`(lineEnd: String) {
    let note = note(
      """
      ---
      title: "A plan: for 2024"
      tags:
        - garden
        - "#spring"
      created: 2024-01-05
      updated: 2024-02-06T10:30:00+02:00
      pinned: true
      author: somebody
      ---
      # The plan
      """,
      lineEnd
    )

    #expect(note.title == "A plan: for 2024")
    #expect(note.tags == ["garden", "spring"])
    #expect(note.createdAt == WrittenDate(2024, 1, 5)?.date())
    #expect(note.modifiedAt == Date(timeIntervalSince1970: 1_707_208_200))
    #expect(note.isPinned)
  }

  @Test(arguments: [
    ("tags: [one, two words, Three]", ["one", "two words", "Three"]),
    ("tags: one, two words", ["one", "two words"]),
    ("tags: one two", ["one", "two"]),
    ("tag: solo", ["solo"]),
    ("Tags:\n- one\n- two", ["one", "two"]),
    ("tags:", []),
    ("tags: [a, A, 2024]", ["a", "2024"]),
    ("tags: {a: b}", []),
    ("tags: [[a], b]", ["b"]),
  ])
  func `tags are a list or words`(yaml: String, tags: [String]) {
    #expect(NoteMetadata("---\n\(yaml)\n---\n").tags == tags)
  }

  @Test(arguments: [
    ("date: 2021-05-01 16:40:00Z", 1_619_887_200.0),
    ("date: 2021-05-01 18:40:00.5 +02:00", 1_619_887_200.5),
    ("created: 1604538028291\nupdated: 1604538028999", 1_604_538_028.291),
    ("created: '1604538028'", 1_604_538_028),
    ("date: 2024-01-05 10:30:00 +0800 CST", 1_704_421_800),
    ("date: 2024-01-05T10:30:00[Europe/Berlin]", 1_704_447_000),
  ])
  func `a date with a zone, or counted from 1970, is a moment`(yaml: String, time: Double) {
    let note = NoteMetadata("---\n\(yaml)\n---\n")
    #expect(note.createdAt?.timeIntervalSince1970 == time)
    #expect(note.frontMatterFlaw == nil)
  }

  @Test(arguments: [
    "date: 2024-03-01", "date: '2024-03-01'", "created: 2024/03/01", "created_at: 2024-03-01",
    "createdAt: 2024-03-01", "creation_date: 2024-03-01", "date created: 2024-03-01",
    "created time: 2024-03-01", "ctime: 2024-03-01",
    "Date Created: Friday, March 1st 2024, 12:00:00 am",
    "date: [[2024-03-01]]", "date: \"[[2024-03-01]]\"", "date: 01.03.2024", "date: March 1, 2024",
    "created-on: 1 Mar 2024", "date: [2024-03-01]", "date: 2024-03-01T00:00",
    "created:\ndate: 2024-03-01", "created: unknown\ndate: 2024-03-01",
  ])
  func `a date without a zone is one of this machine`(yaml: String) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .current
    let day = try #require(calendar.date(from: DateComponents(year: 2024, month: 3, day: 1)))

    #expect(NoteMetadata("---\n\(yaml)\n---\n").createdAt == day)
  }

  @Test(arguments: [
    "updated", "modified", "lastmod", "last_modified_at", "date modified", "mtime", "updatedAt",
    "last-updated", "updated time",
  ])
  func `the date of a change has many names`(key: String) {
    let note = NoteMetadata("---\n\(key): 2021-05-01 16:40:00Z\n---\n")
    #expect(note.modifiedAt?.timeIntervalSince1970 == 1_619_887_200)
  }

  @Test(arguments: [
    ("title: x\ndate: 05/01/2024", 3, "“05/01/2024” is no date"),
    ("created: 0001-01-01T00:00:00+05:00", 2, "“0001-01-01T00:00:00+05:00”"),
    ("date: 2021-02-30", 2, "“2021-02-30”"), ("date: yesterday", 2, "“yesterday”"),
    ("date: 2021-05-01T25:00:00", 2, "no date that can be read in one way"),
    ("updated: {{date}}", 2, "it is no date that can be read in one way (updated)"),
    ("created: 2024-03-01\nlastmod: soon", 3, "(lastmod)"),
    ("Date Modified: soon", 2, "(Date Modified)"),
  ])
  func `a date that is not understood is named, and the rest is read`(
    yaml: String,
    line: Int,
    reason: String
  ) {
    let note = NoteMetadata("---\n\(yaml)\ntags: [a]\n---\n")

    #expect(note.unread.map(\.line) == [line])
    #expect(note.unread.first?.reason.contains(reason) == true, "\(note.unread)")
    #expect(note.tags == ["a"])
  }

  @Test(arguments: [
    ("yes", true), ("On", true), ("TRUE", true), ("'y'", true), ("no", false), ("off", false),
  ])
  func `a pin may be said in any word of YAML`(word: String, isPinned: Bool) {
    let note = NoteMetadata("---\npinned: \(word)\n---\n")
    #expect(note.isPinned == isPinned && note.unread.isEmpty, "\(note.unread)")
  }

  @Test(arguments: [
    ("tags: #a #b", [2]), ("tags:\n  - #a\n  - b\n  - #c", [3, 5]), ("Tags:\n- #a", [3]),
    ("x: 1\ntitle: #1 plan", [3]), ("date: #2024", [2]), ("tags: # none yet", []),
    ("tags: #mine\n- a", []), ("author: #me", []), ("tags: '#a'", []), ("tags:", []),
    ("title: \"\"\ndate:\ntags: [~, \"\"]", []),
  ])
  func `a value that is a comment by mistake is named, and an empty one is none`(
    yaml: String,
    lines: [Int]
  ) {
    let text = "---\n\(yaml)\n---\ntext"
    #expect(NoteMetadata(text).unread.compactMap(\.line) == lines)
    // Written anew, the comment would be lost.
    if yaml.hasPrefix("tags"), !lines.isEmpty {
      #expect(FrontMatterEdit(tags: ["new"]).applied(to: text) == nil)
    }
  }

  @Test(arguments: [
    "no front matter", "---", "---\ntitle: open", "--- title: a\n---\n", " ---\ntitle: a\n---\n",
    "----\ntitle: a\n----\n", "---\ntitle: [a\n---\n", "---\n- title: a\n---\n",
    "---\ntitle: ~\n---\n",
    "\n---\ntitle: a\n---\n",
  ])
  func `what is no front matter says nothing`(text: String) {
    #expect(NoteMetadata(text).title == nil)
  }

  @Test(arguments: [
    ("---\ntags: [a]\ntitle: Meeting: with Anna\n---\n", 3, "mapping values are not allowed"),
    ("---\ntitle: Meeting: with Anna\n---\n", 2, "a value with a colon and a blank needs quotes"),
    ("---\r\ntitle: [a\r\n---\r\n", 3, "did not find expected ',' or ']'"),
    ("\u{FEFF}---\ntitle: a\nother: x\ntitle: b\n---\n", 2, "‘title’ appears twice"),
    ("---\na: &a x\nb: *a\n---\n", nil, "it has an alias (*) of another value (&)"),
    ("---\ntitle: a\u{1}b\n---\n", nil, "control characters are not allowed"),
    ("---\ntitle: a\ntags: [b]\n", 1, "no line of --- ends it"),
    ("---\ntitle: a\n\nA heading\n-----\n--- and more\n", 1, "no line of --- ends it"),
    ("\u{FEFF}+++\r\nweight = 1\r\ntitle = \"a\"\r\n", 1, "no line of +++ ends it"),
  ])
  func `front matter that cannot be read tells why and where`(
    text: String,
    line: Int?,
    reason: String
  ) {
    let flaw = NoteMetadata(text).frontMatterFlaw

    #expect(flaw?.reason.contains(reason) == true, "\(String(describing: flaw))")
    #expect(flaw?.line == line, "\(String(describing: flaw))")
  }

  @Test(arguments: [
    "text", "---\ntitle: a\n---\n", "---\na ruler, and\n---\n", "---\n- a list\n---\n",
    "---\n---\n", "---\nNote: a rule\n", "+++\ntext\n", "---\n",
  ])
  func `what is no front matter has no flaw`(text: String) {
    #expect(NoteMetadata(text).frontMatterFlaw == nil)
  }

  @Test(arguments: [("---", ":"), ("+++", "=")])
  func `fields that end too late are too long, and other lines do not end them`(
    fence: String,
    separator: String
  ) {
    let field = "title\(separator) \"x\"\n"
    let fields = fence + "\n" + String(repeating: field, count: 8_000)

    let flaw = NoteMetadata(fields + fence + "\ntext\n").frontMatterFlaw
    #expect(flaw == FrontMatterFlaw(reason: "it is longer than 64 KiB", line: 1))
    let endless = NoteMetadata(fields + fence + "-\ntext\n").frontMatterFlaw
    #expect(endless == FrontMatterFlaw(reason: "no line of \(fence) ends it", line: 1))
  }

  @Test func `a byte order mark, blanks and dots around front matter are no matter`() {
    #expect(NoteMetadata("\u{FEFF}--- \ntitle: a\n...\ntext").title == "a")
  }

  @Test func `front matter that refers to itself costs those fields, however far it would grow`() {
    var yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for number in 1..<30 {
      let parts = Array(repeating: "*a\(number - 1)", count: 10).joined(separator: ", ")
      yaml += "a\(number): &a\(number) [\(parts)]\n"
    }

    #expect(NoteMetadata("---\ntitle: bomb\n\(yaml)? *a29\n: b\n---\n").title == "bomb")
    #expect(NoteMetadata("---\ntitle: '*a &b'\n---\n").title == "*a &b")
  }

  // An anchor and an alias stand where a node can begin; elsewhere both are signs like others.
  @Test(arguments: [
    "title: Tips & tricks\ndescription: what you *really* need",
    "title: Tips & tricks\ndescription: a &b, [*c] and -*d",
    "title: Tips & tricks\nrating: 5 &x *y*",
    "title: Tips & tricks\nlist: [R&D, a *b*]",
    "title: Tips & tricks\ntext: |\n  * item\n  & so on\n  a &b *c",
    "title: Tips & tricks\nquoted: ['*a', \"&b\"]",
    "title: Tips & tricks\nanchor: &a only",
  ])
  func `signs of references within words are none`(yaml: String) {
    #expect(NoteMetadata("---\n\(yaml)\n---\n").title == "Tips & tricks")
  }

  @Test(arguments: [
    "a: &a x\nb: *a", "- &a x\n- *a", "{a: &a x, b: *a}", "a: [&a x,*a]", "a: !!str &a x\nb: *a",
    "? &a x\n: *a", "a: &a [x]\nb: {? *a : y}", "a: {\"b\":&a x,\"c\":*a}", "&a x:\n  *a",
    "a:\n  &a\n  x\nb:\n  *a", "a: &a x\rb: *a", "a: &a x\u{85}b: *a", "a: &a x\u{2028}b: *a",
    "a: [&a x, {?*a : y}]", "a: - &a x\nb: - *a", "a: &a\t!!str x\nb:\t*a", "- - &a x\n  - *a",
    "a: [&a x,\n  *a]", "a: [\"]\", &a x, *a]", "\u{FEFF}&a x: *a",
  ])
  func `references are found wherever a node can begin`(yaml: String) {
    let note = NoteMetadata("---\ntitle: x\n\(yaml)\n---\n")
    #expect(note.frontMatterFlaw == FrontMatterFlaw(.alias))
    #expect(FrontMatterValues.hasReferences(yaml[...]))
  }

  @Test func `front matter of any depth and length is bounded`() {
    let deep = String(repeating: "[", count: 60_000)
    let long = String(repeating: "key: value\n", count: 100_000)

    #expect(NoteMetadata("---\ntitle: a\ndeep: \(deep)\n---\n").title == "a")
    #expect(NoteMetadata("---\ntitle: a\n\(long)---\n").title == nil)
    #expect(NoteMetadata("+++\ntitle = 'a'\ndeep = \(deep)\n+++\n").title == "a")
    #expect(NoteMetadata("+++\ntitle = 'a'\n\(long)+++\n").title == nil)
  }

  @Test func `tags count in each spelling of their key, and another title is named`() {
    let note = NoteMetadata("---\ntag: a\nTags: [b]\nTAGS: c, d\ntitle: x\nTitle: y\n---\n")

    #expect(note.tags == ["b", "c", "d", "a"] && note.title == "x")
    #expect(note.unread.map(\.line) == [6], "\(note.unread)")
  }

  @Test func `the tags of a second document are read, and a second block is named`() {
    let document = NoteMetadata("---\ntitle: x\n--- # more\ntags: [a]\n---\n")
    #expect(document.title == "x" && document.tags == ["a"])
    #expect(document.frontMatterFlaw?.line == 3)

    let block = NoteMetadata("---\ntitle: x\n---\n---\ntags: [a]\n---\n")
    #expect(block.title == "x" && block.unread.map(\.line) == [4], "\(block.unread)")
    #expect(NoteMetadata("---\ntitle: x\n---\n---\na rule\n---\n").unread.isEmpty)
  }

  // MARK: - Tags in the text

  @Test(arguments: [
    ("#start and #end", ["start", "end"]),
    ("* item #tag\n    * inner #deep", ["tag", "deep"]),
    ("#garden/herbs #a_b-c #2024 #y2024", ["garden/herbs", "a_b-c", "y2024"]),
    ("#日本語 #Grüße, #été.", ["日本語", "Grüße", "été"]),
    ("#👩‍🌾 #a，b", ["👩‍🌾", "a"]),
    ("# heading\n## heading ##\n#nospace", ["nospace"]),
    ("a#b http://x.org/#c [d](#e) [[f#g]] (#h) \\#i &#35;", []),
    ("`#code` ``#more ` #code`` #tag `#open", ["tag", "open"].filter { $0 == "tag" }),
    ("```\n#fenced\n```\n#after", ["after"]),
    ("~~~ sh\n#fenced\n```\n#still\n~~~~\n#after", ["after"]),
    ("text\n\n    #indented\n\ntext #tag", ["tag"]),
    ("##double #", []),
    ("#one #ONE #One", ["one"]),
    ("\t#tab\n\n#tag/", ["tag"]),
  ])
  func `a tag stands behind white space, out of code and links`(text: String, tags: [String]) {
    #expect(NoteMetadata(text).tags == tags)
  }

  @Test func `tags of the front matter come first, and each counts once`() {
    let note = NoteMetadata("---\ntags: [b, a]\n---\n#A #c")

    #expect(note.tags == ["b", "a", "c"])
    #expect(note.listedTags == ["b", "a"])
  }

  @Test func `only a hundred tags of a text count`() {
    let text = (0..<1000).map { "#tag\($0)" }.joined(separator: " ")

    #expect(NoteMetadata(text).tags.count == 100)
  }

  // MARK: - Writing

  @Test(arguments: [
    ("tags: [ 'a',  \"b\" ] # mine", ["a", "b", "new"], "tags: [ 'a',  \"b\",  new ] # mine"),
    ("Tags: [a,b]", ["a", "b", "new"], "Tags: [a,b,new]"),
    ("tags: [a,\n  b,\n  c]", ["a", "b", "c", "new"], "tags: [a,\n  b,\n  c,\n  new]"),
    ("tags: [\n  a,\n  b\n]", ["a", "b", "new"], "tags: [\n  a,\n  b,\n  new\n]"),
    ("Tags: x, y", ["x", "y", "new"], "Tags: x, y, new"),
    ("tags: a  # why", ["a", "new"], "tags: [a, new]  # why"),
    (
      "tags:\n    - a # one\n    # between\n    - \"b c\"\nother: x",
      ["a", "b c", "new"],
      "tags:\n    - a # one\n    # between\n    - \"b c\"\n    - new\nother: x"
    ),
    ("tags:\n- 'a'\n- b # two\n- c", ["b", "c"], "tags:\n- b # two\n- c"),
    ("tags:\n-   '#a'\n", ["a", "yes"], "tags:\n-   '#a'\n-   \"yes\"\n"),
    ("tags:\n  - a\n  - b", [], ""),
  ])
  func `an edit of tags leaves what it does not change`(
    yaml: String,
    tags: [String],
    edited: String
  ) {
    let end = edited.isEmpty || edited.hasSuffix("\n") ? "" : "\n"
    let note = yaml.hasSuffix("\n") ? yaml : yaml + "\n"
    for newline in ["\n", "\r\n"] {
      let text = "---\n\(note)---\nbody\n".replacing("\n", with: newline)
      let wanted = "---\n\(edited)\(end)---\nbody\n".replacing("\n", with: newline)
      #expect(FrontMatterEdit(tags: tags).applied(to: text) == wanted)
    }
  }

  @Test(arguments: [
    ("title: A # mine", "title: New # mine"), ("title: A#1", "title: New"),
    ("title: 'it''s # 1'  # mine", "title: New  # mine"), ("title: \"# A\"", "title: New"),
    ("title: # mine", "title: New # mine"), ("title: >\n  A # 1", "title: New"),
  ])
  func `the comment behind a title that is rewritten stays`(yaml: String, edited: String) {
    for newline in ["\n", "\r\n"] {
      let text = "---\n\(yaml)\n---\nbody\n".replacing("\n", with: newline)
      let wanted = "---\n\(edited)\n---\nbody\n".replacing("\n", with: newline)
      #expect(FrontMatterEdit(title: "New").applied(to: text) == wanted)
    }
  }

  @Test func `a text without front matter gets it above`() {
    let edit = FrontMatterEdit(
      title: "Plan: B",
      tags: ["one", "two words", "true"],
      isPinned: true
    )

    #expect(
      edit.applied(to: "text\n") == """
        ---
        title: "Plan: B"
        tags:
          - one
          - two words
          - "true"
        pinned: true
        ---
        text

        """
    )
    #expect(edit.applied(to: "\u{FEFF}a\r\n")?.hasPrefix("\u{FEFF}---\r\ntitle:") == true)
    #expect(FrontMatterEdit().applied(to: "text") == "text")
    #expect(FrontMatterEdit(tags: []).applied(to: "text") == "text")
  }

  @Test(arguments: ["\n", "\r\n"])
  func `of front matter only the lines of what changes are written anew`(lineEnd: String) {
    let text = """
      ---
      # a comment
      author:   me
      tags:
      - old
      - other
      "title" : Old
      aliases: [a,   b]
      ---
      text
      """.replacing("\n", with: lineEnd)

    let edited = FrontMatterEdit(title: "New", tags: ["new"]).applied(to: text)

    #expect(
      edited
        == """
        ---
        # a comment
        author:   me
        tags:
        - new
        "title" : New
        aliases: [a,   b]
        ---
        text
        """.replacing("\n", with: lineEnd)
    )
    #expect(
      FrontMatterEdit(tags: []).applied(to: text)?.contains("tags") == false
    )
  }

  @Test(arguments: ["---\n{title: a}\n---\n", "---\ntitle: [\n---\n"])
  func `front matter that cannot be changed line by line is left alone`(text: String) {
    #expect(FrontMatterEdit(title: "b").applied(to: text) == nil)
  }

  // The line that looks like a field is the middle of a text in quotes.
  @Test(arguments: [
    "pinned: \"tr\nue\"", "notes: \"a\npinned: x\nb\"\npinned: true",
    "title: \"a\npinned: x\nb\"\npinned: true",
  ])
  func `front matter is left alone where an edit would change another field`(yaml: String) {
    let text = "---\n\(yaml)\n---\ntext"

    #expect(NoteMetadata(text).frontMatterFlaw == nil)
    #expect(FrontMatterEdit(isPinned: false).applied(to: text) == nil)
  }

  // Written anew, the list would lose them.
  @Test(arguments: [
    "tags:\n  - a\n  - b: c", "tags: [a, [b]]", "tags: {a: b}", "Tags: [a]\ntags: [b]",
    "tags: [\((0..<101).map { "t\($0)" }.joined(separator: ", "))]",
    "tags: \((0..<101).map { "t\($0)" }.joined(separator: " "))", "tags: [a]\ntag: {b: c}",
  ])
  func `tags that are more than words are left alone`(yaml: String) {
    let text = "---\n\(yaml)\n---\ntext"

    #expect(FrontMatterEdit(tags: ["new"]).applied(to: text) == nil)
    #expect(FrontMatterEdit(tags: []).applied(to: text) == nil)
    #expect(FrontMatterEdit(isPinned: true).applied(to: text)?.contains(yaml) == true)
  }

  @Test(arguments: [
    ("tags:", "tags:\n  - new"), ("tags: ~", "tags:\n  - new"), ("tags: [a, ~, 5]", "tags: [new]"),
    ("tags: a b", "tags: new"), ("tags: [a]\ntag: b", "tags: [new]"), ("tags: []", "tags: [new]"),
  ])
  func `tags that are words are written anew`(yaml: String, edited: String) {
    #expect(
      FrontMatterEdit(tags: ["new"]).applied(to: "---\n\(yaml)\n---\ntext")
        == "---\n\(edited)\n---\ntext"
    )
  }

  @Test(
    arguments: [
      ("tags: [a, b]", ["a", "b", "c"], "tags: [a, b, c]"),
      ("Tags: [a,b]", ["b", "c"], "Tags: [b,c]"),
      ("tags: [ \"a\", '#b' ] # mine", ["a", "b", "c d"], "tags: [ \"a\", '#b', c d ] # mine"),
      ("TAGS:\n- a\n- b", ["a", "b", "c"], "TAGS:\n- a\n- b\n- c"),
      ("tags:\n    - 'a'\n    - b", ["a", "c"], "tags:\n    - 'a'\n    - c"),
      ("tags:\n\t- a", ["a", "c"], nil), ("tags: a, b", ["a", "two words"], "tags: a, two words"),
      ("tags: a b", ["a", "b", "c"], "tags: a b c"), ("tags: a b", ["a", "c d"], "tags: [a, c d]"),
      ("tag: one", ["one", "two"], "tag: [one, two]"), ("tags: [a]", ["x, y]"], nil),
      ("tags: [\n  a,\n  b\n]", ["a", "c"], nil),
      ("'tags': [a]", ["a", "true", "a: b"], "'tags': [a, \"true\", \"a: b\"]"),
    ] as [(String, [String], String?)]
  )
  func `a list of tags keeps its style`(yaml: String, tags: [String], edited: String?) {
    let text = FrontMatterEdit(tags: tags).applied(to: "---\nx: [ 1,2 ]\n\(yaml)\n---\ntext")

    if let edited { #expect(text == "---\nx: [ 1,2 ]\n\(edited)\n---\ntext") }
    if let text { #expect(NoteMetadata(text).listedTags == tags) }
  }

  @Test(arguments: [
    "plain", "2024", "true", "No", "~", "- a", "# a", "a # b", "a: b", "'a'", "\"a\"", "*a", "&a",
    "[a]", "{a}", "日本語", "é", "a\\b", "tab\there", "!tag", "%a", "@a", "`a`", "|", ">", "?", "👩‍🌾",
    "a:b", "x ", "null",
  ])
  func `any title comes back as it was`(title: String) throws {
    let trimmed = title.trimmingCharacters(in: .whitespacesAndNewlines)
    let edited = try #require(FrontMatterEdit(title: trimmed).applied(to: "text"))

    #expect(NoteMetadata(edited).title == trimmed)
  }

  private func note(_ text: String, _ lineEnd: String) -> NoteMetadata {
    NoteMetadata(text.replacing("\n", with: lineEnd))
  }
}
