import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Inputs on which work grew with the square of their size: each took minutes or hours.
@Suite(.timeLimit(.minutes(30)))
struct UnluckyShapesTests {
  private func times(_ count: Int, _ text: String) -> String {
    String(repeating: text, count: count)
  }

  /// Expects that some work needs the processor for less than some seconds.
  ///
  /// It needs about a thirtieth of them, or a third where nothing is optimized, and needed several
  /// times as many. Only the time for which the processor works for this thread counts: on a busy
  /// machine more time passes, but no more is needed.
  private func expect<Value>(
    within seconds: Double,
    _ location: SourceLocation = #_sourceLocation,
    _ work: () throws -> Value
  ) rethrows -> Value {
    let start = Self.processorSeconds
    let value = try work()
    let needed = Self.processorSeconds - start
    #expect(needed < seconds, sourceLocation: location)
    return value
  }

  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test(.temporaryDirectory)
  func `thousands of equal texts of one title with different tags`() async throws {
    let count = 2_000
    func add(_ name: String, tag: (Int) -> Int) throws -> URL {
      let tree = try FileTree(name)
      for place in 0..<count {
        try tree.add("\(place).textbundle/text.md", "Milk")
        let tags = "[\"t\(tag(place))\", \"food\"]"
        let info = "{\"version\": 2, \"title\": \"Home\", \"tags\": \(tags)}"
        try tree.add("\(place).textbundle/info.json", info)
      }
      return tree.url
    }
    let store = try TemporaryStore.open()
    try await store.importFiles(at: [add("one") { $0 }])
    let other = try add("other") { count - 1 - $0 }
    // A dry run does all of it on one thread.
    let times = Lock<[Double]>([])

    let report = try await store.importFiles(at: [other], options: .init(isDryRun: true)) { _ in
      times.withLock { $0.append(Self.processorSeconds) }
    }

    #expect(report[.duplicate] == count, "\(report)")
    let seen = times.withLock { $0 }
    #expect(try #require(seen.last) - #require(seen.first) < 15)
  }

  @Test func `a date in Org without an end`() {
    let text = "#+DATE: <2024-03-01 \(times(50_000, "a"))\n"
    let note = expect(within: 5) { NoteMetadata(text, in: .org) }

    #expect(note.createdAt == nil)
  }

  @Test func `a page with thousands of properties`() {
    let lines = (0..<30_000).map { "a\(String($0, radix: 36)):: \n" }
    let text = lines.joined() + "tags:: garden\n"
    let note = expect(within: 15) { NoteMetadata(text) }

    #expect(note.tags == ["garden"])
  }

  @Test func `a list of tags over thousands of lines`() {
    let text = "+++\ntags = [\(times(60_000, "\n"))\"a\"]\n+++\ntext\n"
    let edit = FrontMatterEdit(tags: ["a", "b"])
    let edited = expect(within: 20) { edit.applied(to: text) }

    #expect(edited?.hasSuffix("+++\ntext\n") == true)
    #expect(edited.map { NoteMetadata($0).tags } == ["a", "b"])
  }

  @Test func `a list of tags with thousands of blanks and quotes`() {
    let text = "---\ntags: [\(times(30_000, " "))x\(times(30_000, "'"))]\n---\ntext\n"
    let edit = FrontMatterEdit(tags: ["b"])
    let edited = expect(within: 5) { edit.applied(to: text) }

    #expect(edited?.hasSuffix("---\ntext\n") == true)
  }

  @Test func `runs of backticks of each length`() {
    var scan = MarkdownTagScan(limit: 10)
    let runs = (1...8_000).map { times($0, "`") }.joined(separator: " ")
    let text = "\(runs) #garden"
    let tags = expect(within: 30) { scan.tags(in: text[...].utf8) }

    #expect(tags == ["garden"])
  }

  @Test func `many tables of one name in TOML`() throws {
    var reader = TOMLReader(times(60_000, "[[a]]\n"))
    let table = try expect(within: 15) { try reader.read() }

    #expect(!table.isEmpty)
  }

  @Test func `names of pictures that Google cut off`() {
    let stems = (100_000..<160_000).map { times(40, "a") + String($0) }
    let sidecars = stems.map { (name: $0 + ".json", title: String?.none) }
    let isFound = expect(within: 30) {
      let names = SidecarNames(sidecars)
      return stems.allSatisfy { names.match($0 + "bcd.jpg").sidecars == [$0 + ".json"] }
    }

    #expect(isFound)
  }

  @Test(.enabled(if: XMLParts.isAvailable))
  func `a note of Evernote with marks around blanks`() {
    let marks = times(240, "<b>") + times(1_000_000, " ") + times(240, "</b>")
    let content = "<en-note><pre>\(marks)end</pre></en-note>"
    let note = expect(within: 5) { EvernoteText(content, links: [:]) }

    #expect(!note.isDamaged && note.text.contains("end"))
  }

  @Test(.enabled(if: XMLParts.isAvailable))
  func `a note of Evernote with a letter of many accents`() {
    let content = "<en-note>x\(times(30_000, "\u{301}<span></span>"))</en-note>"
    let note = expect(within: 15) { EvernoteText(content, links: [:]) }

    #expect(note.text.unicodeScalars.count == 30_001)
  }

  @Test(.enabled(if: XMLParts.isAvailable))
  func `a note of Evernote with thousands of short lines`() {
    let content = "<en-note>\(times(40_000, "<div>a</div>"))<div>1. a</div></en-note>"
    let note = expect(within: 3) { EvernoteText(content, links: [:]) }

    #expect(note.text.hasPrefix("a\na\n") && note.text.hasSuffix("a\n1\\. a"))
  }

  @Test func `notes of Evernote of one title`() {
    var names = UniqueNames()
    let last = expect(within: 5) {
      (1...20_000).map { _ in names.add("a", ".textbundle") }.last
    }

    #expect(last == "a 20000.textbundle")
  }
}
