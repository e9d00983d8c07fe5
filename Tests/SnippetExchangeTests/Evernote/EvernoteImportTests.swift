import CLibraryChecks
import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Exports of Evernote.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)), .enabled(if: XMLParts.isAvailable))
struct EvernoteImportTests {
  let store: SnippetStore
  let tree: FileTree

  init() throws {
    store = try TemporaryStore.open()
    tree = try FileTree("evernote")
  }

  @Test(.enabled(if: snippet_xml_library_checked_call_count() > 0))
  func `the calls of libxml2 are declared as in its headers`() {
    #expect(snippet_xml_library_checked_call_count() == 14)
  }

  // MARK: - Files

  private func export(_ notes: String...) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
    <en-export export-date="20240101T000000Z" application="Evernote" version="10.0">
    \(notes.joined(separator: "\n"))
    </en-export>
    """
  }

  private func note(_ title: String, _ body: String, _ rest: String = "") -> String {
    """
    <note><title>\(title)</title><content><![CDATA[<?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
    <en-note>\(body)</en-note>]]></content>
    <created>20200102T030405Z</created><updated>20210203T040506Z</updated>\(rest)</note>
    """
  }

  private func importAll(
    _ url: URL
  ) async throws -> (report: ImportReport, events: [ImportEvent]) {
    try await store.importAll([url])
  }

  private func rows() throws -> [SnippetRow] {
    try store.list(order: .byTitle).rows(in: 0..<99)
  }

  // MARK: - Notes

  @Test func `a note comes with its title, dates, tags and pictures`() async throws {
    let png = Samples.png
    // What Evernote calls it by.
    let hash = EvernoteUnpacking.md5(png)
    let resource = """
      <tag>travel</tag><tag>two words</tag>
      <note-attributes><source-url>https://example.com/a</source-url><latitude>52.5</latitude>
      </note-attributes>
      <resource><data encoding="base64">\(png.base64EncodedString(options: .lineLength64Characters))
      </data><mime>image/png</mime><width>1</width>
      <recognition><![CDATA[<recoIndex/>]]></recognition>
      <resource-attributes><file-name>the beach.png</file-name></resource-attributes></resource>
      """
    let body =
      "<div>By train &amp; boat&nbsp;</div><div><en-media type=\"image/png\" hash=\"\(hash)\"/></div>"
    let file = try tree.add("all.enex", export(note("A &lt;long&gt; trip", body, resource)))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 2, "\(events)")
    let rows = try rows()
    #expect(rows.map(\.title) == ["A <long> trip", "the beach"])
    #expect(rows[0].tags == ["travel", "two words"])
    #expect(rows[0].createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(rows[0].modifiedAt.timeIntervalSince1970 == 1_612_325_106)
    #expect(rows[1].createdAt.timeIntervalSince1970 == 1_577_934_245)
    #expect(
      try await store.text(of: rows[0].id)
        == "By train & boat\u{A0}\n![the beach.png](assets/the%20beach.png)"
    )
    let reasons = events.compactMap(\.error?.reason)
    #expect(reasons.contains { $0.contains("https://example.com/a") }, "\(reasons)")
    #expect(reasons.contains { $0.contains("latitude (1)") }, "\(reasons)")
    #expect(events.allSatisfy { $0.file.path.hasPrefix(file.path) })
    let again = try await importAll(file).report
    #expect(again[.unchanged] == 2 && again[.imported] == 0, "\(again)")
  }

  @Test(arguments: [
    ("<div>one</div><div><br/></div><div>two</div>", "one\n\ntwo"),
    ("<div>a<b>b</b> <i>c </i>d</div>", "a**b** *c* d"),
    ("<p>one</p><p>two</p>", "one\n\ntwo"),
    ("<h1>T</h1><div>x</div>", "# T\n\nx"),
    (
      "<ul><li>a</li><li><div>b</div><ol><li>c</li><li>d</li></ol></li></ul>",
      "- a\n- b\n  1. c\n  2. d"
    ),
    (
      "<div><en-todo checked=\"true\"/>milk</div><div><en-todo/>eggs</div>",
      "- [x] milk\n- [ ] eggs"
    ),
    ("<ol><li><div><en-todo/>eggs</div></li></ol>", "1. [ ] eggs"),
    (
      "<ul style=\"--en-todo:true;\"><li style=\"--en-checked:true;\"><div>a</div></li></ul>",
      "- [x] a"
    ),
    ("<a href=\"https://e.org/a(b) c\">here</a>", "[here](https://e.org/a%28b%29%20c)"),
    (
      "<table><tr><td>a</td><td>b|c</td></tr><tr><td>1</td><td>2</td></tr></table>",
      "| a | b\\|c |\n| --- | --- |\n| 1 | 2 |"
    ),
    (
      "<table><tr><td><div>a</div><div>b</div></td><td><ul><li>c</li><li>d<br/>e</li></ul></td></tr></table>",
      "| a b | - c - d e |\n| --- | --- |"
    ),
    ("<img src=\"https://e.org/a b.png\" alt=\"a [b]\"/>", "![a b](https://e.org/a%20b.png)"),
    ("<blockquote><div>q</div></blockquote>x", "> q\n\nx"),
    (
      "<div style=\"-en-codeblock:true;\"><div>a * b</div><div>  c</div></div>",
      "```\na * b\n  c\n```"
    ),
    (
      "<div style=\"--en-codeblock:true;--en-syntaxLanguage:bash;x: y\"><div>ls</div></div>",
      "```bash\nls\n```"
    ),
    ("# no heading", "\\# no heading"), ("2 * 3 * 4", "2 \\* 3 \\* 4"), ("#tag", "#tag"),
    ("a &mdash; b &unknown; c", "a — b \\&unknown; c"), ("<b></b>x", "x"), ("", ""),
    ("<div>open <b>bold", "open **bold**"),
    ("<a href=\"https://e.org/\">a [b] c</a>", "[a \\[b\\] c](https://e.org/)"),
    ("[a](b) [1]", "\\[a](b) \\[1]"), ("_a_ snake_case b_", "\\_a\\_ snake_case b\\_"),
    ("1 &lt; 2 &lt;b&gt; &amp;lt; R&amp;D", "1 < 2 \\<b> \\&lt; R&D"),
    ("https://e.org/_a_?b&amp;c;", "https://e.org/_a_?b&c;"), ("~~a~~ ~5", "\\~\\~a\\~\\~ ~5"),
    ("C:\\a \\_ \\", "C:\\a \\\\\\_ \\\\"), ("<code>a_*[&lt;b</code>", "`a_*[<b`"),
    ("1. one", "1\\. one"), ("&gt;x", "\\>x"), ("---", "\\---"), ("===", "\\==="), ("-5", "-5"),
  ])
  func `the content becomes Markdown`(content: String, text: String) {
    #expect(EvernoteText("<en-note>\(content)</en-note>", links: [:]).text == text)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [true, false])
  func `an export in UTF-16 is one too`(encoding: String.Encoding, isMarked: Bool) async throws {
    let text = export(note("Grüße", "<div>牛乳</div>")).replacing("UTF-8", with: "UTF-16")
    let marked = (isMarked ? "\u{FEFF}" : "") + text
    let file = try tree.add("wide.enex", try #require(marked.data(using: encoding)))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 1, "\(events)")
    let row = try #require(try rows().first)
    #expect(row.title == "Grüße" && row.preview.contains("牛乳"))
  }

  @Test func `notes with equal titles are all kept, whatever their titles are`() async throws {
    let titles = [
      "Same", "Same", "same", "a/b", "..", "", ".hidden", String(repeating: "ü", count: 300),
    ]
    let notes = titles.enumerated().map { note($1, "<div>text \($0)</div>") }
    let file = try tree.add("many.enex", export(notes.joined()))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == titles.count, "\(events)")
    #expect(try rows().count == titles.count)
    #expect(try rows().filter { $0.title == "a/b" }.count == 1)
  }

  @Test func `tasks, encrypted parts and encrypted notes are told`() async throws {
    let task = "<task><title>call</title><taskStatus>completed</taskStatus></task>"
    let secret = "<div>a <en-crypt cipher=\"AES\">xyz</en-crypt></div>"
    let whole = "<note><title>W</title><content encoding=\"base64:aes\">abc</content></note>"
    let file = try tree.add("s.enex", export(note("S", secret, task), whole))

    let (report, events) = try await importAll(file)

    // A part of a note that is there does not make the note a failure, at each import again.
    #expect(report[.imported] == 1 && report[.failed] == 1, "\(events)")
    #expect(report[.leftOut] == 1)
    #expect(try await store.text(of: rows()[0].id) == "a [encrypted]\n\n- [x] call")
    let reasons = events.compactMap(\.error?.reason)
    #expect(reasons.contains("the note is encrypted"))
    #expect(reasons.contains { $0.hasPrefix("a part of the note is encrypted") })
  }

  @Test func `an export that is cut short gives what is there, and says so`() async throws {
    let whole = export(note("One", "<div>1</div>"), note("Two", "<div>2</div>"))
    let end = try #require(whole.range(of: "<title>Two")).upperBound
    let file = try tree.add("cut.enex", String(whole[..<end]))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 1 && report[.failed] == 1, "\(events)")
    #expect(events.contains { $0.error?.reason.contains("cut short or damaged") == true })
  }

  @Test(arguments: [
    ("<div>a\u{B}b</div>", "", "a"), ("<div>a</div>", "<note-attributes></note-atributes>", "a"),
    ("<div>a</div><![CDATA[inner]]><div>b</div>", "", "a\ninner\nb"),
    ("<div>a</div>", "<source> & </source>", "a"), ("<div>a</div>", "\u{1}", "a"),
  ])
  func `damage in one note costs no other, and the note is there and named`(
    body: String,
    rest: String,
    text: String
  ) async throws {
    let tag = "<tag>kept &amp; so</tag>"
    let notes = [
      note("One", "1"), note("Bad", body, rest + tag), note("Two", "2"), note("Six", "6"),
    ]
    let file = try tree.add("damaged.enex", export(notes.joined(separator: "\n")))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 4 && report[.failed] == 0, "\(events)")
    let rows = try rows()
    #expect(rows.map(\.title) == ["Bad", "One", "Six", "Two"])
    #expect(try await store.text(of: rows[0].id).hasPrefix(text))
    #expect(rows[0].tags == ["kept & so"])
    #expect(rows[0].createdAt.timeIntervalSince1970 == 1_577_934_245)
    let named = events.filter { $0.error?.reason.hasPrefix("the note is damaged") == true }
    #expect(named.map(\.file.lastPathComponent) == ["text.md"], "\(events)")
    #expect(try await importAll(file).report[.unchanged] == 4)
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [true, false])
  func `damage in an export in UTF-16 costs no other note`(
    encoding: String.Encoding,
    isMarked: Bool
  ) async throws {
    let notes = [note("Grüße", "1"), note("Bad", "a\u{B}b"), note("牛乳", "2")]
    let text = export(notes.joined(separator: "\n")).replacing("UTF-8", with: "UTF-16")
    let marked = (isMarked ? "\u{FEFF}" : "") + text
    let file = try tree.add("wide.enex", try #require(marked.data(using: encoding)))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 3 && report[.failed] == 0, "\(events)")
    #expect(try rows().map(\.title) == ["Bad", "Grüße", "牛乳"])
    let named = events.filter { $0.error?.reason.hasPrefix("the note is damaged") == true }
    #expect(named.count == 1, "\(events)")
  }

  // The library stops to read HTML there, without telling so.
  @Test func `a note keeps its text however deep its elements are nested`() async throws {
    func nested(_ count: Int, _ inner: String) -> String {
      String(repeating: "<blockquote>", count: count) + inner
        + String(repeating: "</blockquote>", count: count) + "<div>end</div>"
    }
    let lines = String(repeating: "a<br/>", count: 1000)
    let file = try tree.add(
      "deep.enex",
      export(note("A", nested(1000, lines)), note("B", "<div>first</div>" + nested(300, "b<br>")))
    )

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 2 && report[.failed] == 0, "\(events)")
    let rows = try rows()
    let whole = try await store.text(of: rows[0].id)
    #expect(whole.count { $0 == "a" } == 1000 && whole.hasSuffix("end"))
    #expect(whole.utf8.count < 50_000, "the marks before each line are few")
    // It is no XML, so that nothing reads what is deeper.
    #expect(try await store.text(of: rows[1].id) == "first")
    let named = events.filter { $0.error?.reason.hasPrefix("the note is damaged") == true }
    #expect(named.count == 1, "\(events)")
  }

  @Test func `a note without dates has that of the export`() async throws {
    let dated = note("Undated", "x")
    let undated = dated.replacing(#/<created>.*</updated>/#, with: "")
    let file = try tree.add("undated.enex", export(undated))

    #expect(undated != dated)
    #expect(try await importAll(file).report[.imported] == 1)

    #expect(try rows().first?.createdAt.timeIntervalSince1970 == 1_704_067_200)
    #expect(try await importAll(file).report[.unchanged] == 1)
  }

  @Test func `a note of the last year that a store accepts comes with its date`() async throws {
    let last = note("Late", "x").replacing("20200102T030405Z", with: "99991231T235959Z")
      .replacing("20210203T040506Z", with: "99991231T235959Z")
    let file = try tree.add("late.enex", export(last))

    let report = try await importAll(file).report

    #expect(report[.imported] == 1 && report[.failed] == 0)
    #expect(try rows().first?.createdAt.timeIntervalSince1970 == 253_402_300_799)
    #expect(try await importAll(file).report[.unchanged] == 1)
  }

  @Test func `a file in a damaged note comes back, and a cut one as far as it goes`() async throws {
    let data = Samples.png.base64EncodedString(options: .lineLength64Characters)
    let start = "<resource><data encoding=\"base64\">\(data)</data><mime>image/png</mime>"
    let damaged = note("Bad", "<div>a</div>", "\(start)</resource> & ")
    let cut = note("Cut", "<div>b</div>", start).replacing("</note>", with: "")
    let whole = export(damaged, cut).replacing("</en-export>", with: "")
    let file = try tree.add("files.enex", whole)

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 3 && report[.failed] == 1, "\(events)")
    let row = try #require(try rows().first { $0.kind == .image })
    #expect(try await store.content(of: row.id) == Samples.png)
  }

  @Test func `values of files and tasks are named`() async throws {
    let rest = """
      <resource><data encoding="base64">\(Samples.png.base64EncodedString())</data>
      <mime>image/png</mime><width>1</width><resource-attributes><timestamp>20200101T000000Z</timestamp>
      <camera-make>Acme</camera-make><attachment>true</attachment></resource-attributes></resource>
      <task><title>call</title><dueDate>20240401T000000Z</dueDate><taskFlag>false</taskFlag>
      <sortWeight>B</sortWeight></task>
      """
    let file = try tree.add("values.enex", export(note("N", "<div>x</div>", rest)))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 2, "\(events)")
    let reasons = events.filter { $0.outcome == .leftOut }.compactMap(\.error?.reason)
    let names = "resource.camera-make (1), resource.timestamp (1), task.dueDate (1)"
    #expect(reasons.count == 1 && reasons[0].hasSuffix(names), "\(reasons)")
  }

  @Test func `a file in a text that the export does not hold is named`() async throws {
    let body = "<div>a<en-media hash=\"AB12\" type=\"image/png\"/><en-media type=\"a/b\"/></div>"
    let file = try tree.add("missing.enex", export(note("N", body)))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 1 && report[.failed] == 2, "\(events)")
    let reasons = events.compactMap(\.error?.reason)
    #expect(reasons.contains("its attachment ab12 is not in the export"), "\(reasons)")
    #expect(reasons.contains("its attachment a/b is not in the export"), "\(reasons)")
  }

  @Test(arguments: [
    ("base64", "!!!notbase64"), ("base64", "QUJD=QUJD"), ("base64", "QUJDR"), ("hex", "6162"),
  ])
  func `a file that is not in valid Base64 is named as damaged, and its note is imported`(
    encoding: String,
    data: String
  ) async throws {
    let resource = """
      <resource><data encoding="\(encoding)">\(data)</data><mime>image/png</mime></resource>
      """
    let body = "<div>a<en-media hash=\"ab12\" type=\"image/png\"/></div>"
    let file = try tree.add("bad.enex", export(note("N", body, resource)))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 1 && report[.failed] == 1, "\(events)")
    let reasons = events.compactMap(\.error?.reason)
    #expect(
      reasons == ["its attachment image/png is damaged: its bytes are not valid Base64"]
    )
  }

  @Test func `a picture whose Base64 is damaged in a newer export does not count as gone`()
    async throws
  {
    func resource(_ data: String) -> String {
      "<resource><data encoding=\"base64\">\(data)</data><mime>image/png</mime></resource>"
    }
    let whole = export(note("N", "a", resource(Samples.png.base64EncodedString())))
    let file = try tree.add("all.enex", whole)
    #expect(try await importAll(file).report[.imported] == 2)
    try tree.add("all.enex", export(note("N", "a", resource("!!!notbase64"))))

    let report = try await store.importAll([file], .init(movesMissingToTrash: true)).report

    #expect(report[.trashed] == 0 && report[.failed] == 1, "\(report)")
  }

  @Test func `of a picture in damaged Base64 what can be read is imported`() async throws {
    let png = Samples.png
    var spoiled = Array(png.base64EncodedString())
    spoiled[spoiled.count - 10] = "!"
    let start = "<resource><data encoding=\"base64\">"
    let end = "</data><mime>image/png</mime></resource>"
    let damaged = note("Damaged", "a", start + String(spoiled) + end)
    // These bytes are those that the note names.
    let media = "<en-media hash=\"\(EvernoteUnpacking.md5(png).uppercased())\" type=\"image/png\"/>"
    let whole = note("Whole", media, start + "*" + png.base64EncodedString() + end)

    for (text, failedCount) in [(damaged, 1), (whole, 0)] {
      let file = try tree.add("\(failedCount).enex", export(text))
      let (report, events) = try await importAll(file)

      #expect(report[.imported] == 2 && report[.failed] == failedCount, "\(events)")
    }
  }

  @Test func `an export in a folder is named and left out`() async throws {
    try tree.add("sub/a.enex", export(note("One", "x")))

    let (report, events) = try await importAll(tree.url)

    #expect(report[.imported] == 0 && report[.leftOut] == 1, "\(events)")
  }

  @Test func `what only speaks of an export is read as what it is`() async throws {
    let words = "# Moving\n\nAn export begins with\n\n    <en-export application=\"Evernote\">\n"
    let note = try tree.add("moving.md", words)
    // ZIP keeps a short member as it is.
    let archive = SampleArchive([.init("plans.md", "Other " + words)]).bytes(.zip)

    let (report, events) = try await store.importAll([note, tree.add("moving.zip", archive)])

    #expect(report[.imported] == 2 && report[.failed] == 0, "\(events)")
    #expect(try rows().map(\.title) == ["moving", "plans"])
  }

  @Test func `a file of five megabytes in a note comes back byte by byte`() async throws {
    let bytes = Samples.wav(frameCount: 2_500_000)
    let resource = """
      <resource><data encoding="base64">\(bytes.base64EncodedString())</data>
      <mime>audio/x-wav</mime></resource>
      """
    let file = try tree.add("big.enex", export(note("Big", "<div>x</div>", resource)))

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 2, "\(events)")
    let row = try #require(try rows().first { $0.kind == .voice })
    #expect(try await store.content(of: row.id) == bytes)
  }

  @Test func `entities neither grow nor read files`() async throws {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE en-export [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">
      <!ENTITY f SYSTEM "file:///etc/hostname">]>
      <en-export><note><title>T &b; &f;</title><content>x</content></note></en-export>
      """
    let file = try tree.add("bomb.enex", bomb)

    let (report, events) = try await importAll(file)

    #expect(report[.imported] == 1, "\(events)")
    #expect(try rows().first?.title == "T &b; &f;")
  }

  @Test func `entities in an attribute do not grow either`() async throws {
    let entities = (1...9).map { number in
      "<!ENTITY a\(number) \"\(String(repeating: "&a\(number - 1);", count: 10))\">"
    }
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE en-export [<!ENTITY a0 "aaaaaaaaaa">\(entities.joined())]>
      <en-export application="&a9;"><note><title>T</title><content>x</content></note></en-export>
      """
    let file = try tree.add("bomb.enex", bomb)

    let (report, events) = try await importAll(file)

    #expect(events.contains { $0.outcome == .failed }, "\(events)")
    #expect(report[.imported] <= 1)
  }

  @Test(arguments: [
    ("<en-export>", true), ("\u{FEFF}\r\n<?xml version=\"1.0\" encoding='utf-8'?>\n<a", true),
    ("<?xml version=\"1.0\"?><!DOCTYPE a SYSTEM \"http://x/[>.dtd\">\n<a>", true),
    ("<!DOCTYPE a [<!ENTITY b \"c\">]><a>", false), ("<!DOCTYPE a SYSTEM '> <a' [<!ENTITY", false),
    ("<?xml version=\"1.0\" encoding=\"UTF-7\"?><a>", false), ("<!-- <a> --><a>", false),
    ("<?pi?><a>", false), ("", false), ("<", false), ("<!DOCTYPE a", false), ("text", false),
  ])
  func `a document that may declare entities is told apart`(text: String, declaresNothing: Bool) {
    #expect(XMLProlog.declaresNothing(text.utf8) == declaresNothing)
  }

  @Test func `whatever bytes are changed, an export is read or refused`() async throws {
    var random = SeededGenerator()
    let task = "<task><title>t</title></task><resource><data>QUJD</data></resource>"
    let whole = Array(
      export(note("One", "<div>a <b>b</b></div>", task), note("Two", "<p>x</p>")).utf8
    )
    for number in 0..<(LongTests.isOn ? 1_000 : 50) {
      var bytes = whole
      for _ in 0..<(1 + random.below(5)) {
        let place = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[place] = UInt8(random.below(256))
        case 1: bytes.remove(at: place)
        default: bytes.insert(random.element(of: Array("<>&\"/]![;".utf8)), at: place)
        }
      }
      if random.below(5) == 0 { bytes.removeLast(random.below(bytes.count)) }
      let file = try tree.add("\(number).enex", Data(bytes))

      #expect(try await !importAll(file).events.isEmpty)
    }
  }
}
