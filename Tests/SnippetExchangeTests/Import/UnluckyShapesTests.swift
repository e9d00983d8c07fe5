import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Inputs on which work grew with the square of their size: each took minutes or hours.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UnluckyShapesTests {
  private func times(_ count: Int, _ text: String) -> String {
    String(repeating: text, count: count)
  }

  @Test func `a date in Org without an end`() {
    let note = NoteMetadata("#+DATE: <2024-03-01 \(times(500_000, "a"))\n", in: .org)

    #expect(note.createdAt == nil)
  }

  @Test func `a page with thousands of properties`() {
    let lines = (0..<10_000).map { "a\(String($0, radix: 36)):: \n" }
    let note = NoteMetadata(lines.joined() + "tags:: garden\n")

    #expect(note.tags == ["garden"])
  }

  @Test func `a list of tags over thousands of lines`() throws {
    let text = "+++\ntags = [\(times(60_000, "\n"))\"a\"]\n+++\ntext\n"
    let edited = try #require(FrontMatterEdit(tags: ["a", "b"]).applied(to: text))

    #expect(NoteMetadata(edited).tags == ["a", "b"])
    #expect(edited.hasSuffix("+++\ntext\n"))
  }

  @Test func `a list of tags with thousands of blanks and quotes`() throws {
    let text = "---\ntags: [\(times(30_000, " "))x\(times(30_000, "'"))]\n---\ntext\n"
    let edited = try #require(FrontMatterEdit(tags: ["b"]).applied(to: text))

    #expect(edited.hasSuffix("---\ntext\n"))
  }

  @Test func `runs of backticks of each length`() {
    var scan = MarkdownTagScan(limit: 10)
    let runs = (1...8_000).map { times($0, "`") }.joined(separator: " ")
    let tags = scan.tags(in: "\(runs) #garden"[...].utf8)

    #expect(tags == ["garden"])
  }

  @Test func `names of pictures that Google cut off`() {
    let stems = (100_000..<300_000).map { times(40, "a") + String($0) }
    let names = SidecarNames(stems.map { ($0 + ".json", nil) })

    #expect(stems.allSatisfy { names.match($0 + "bcd.jpg").sidecars == [$0 + ".json"] })
  }

  @Test(.enabled(if: XMLParts.isAvailable))
  func `notes of Evernote of one title, with marks around blanks and with accents`() async throws {
    let marks = times(240, "<b>") + times(50_000, " ") + times(240, "</b>")
    let accents = "x" + times(10_000, "\u{301}<span></span>")
    let bodies = ["<pre>\(marks)end</pre>", accents] + Array(repeating: "text", count: 2_000)
    let notes = bodies.map { body in
      "<note><title>a</title><content><![CDATA[<en-note>\(body)</en-note>]]></content></note>"
    }
    let export = try FileTree("unlucky").add("a.enex", "<en-export>\(notes.joined())</en-export>")
    let store = try TemporaryStore.open()

    let report = try await store.importFiles(at: [export]) { _ in }

    #expect(report[.imported] == bodies.count)
  }
}
