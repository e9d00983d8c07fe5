import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Whole frames of the list, as a user sees them, on screens of every size.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BrowseFrameTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
  }

  @Test func `the list shows every kind of snippet`() async throws {
    let output = try await snip("browse", "--dump", "--size", "60x24")

    #expect(
      output.text == """
         store.sqlite  newest first                             1/5

        ▌ An older encoding                       2026-01-05 00:00
        ▌ Grüße aus Köln über die Autobahn nach München
        ▌                                              46 B  no. 5

          A long one                              2026-01-04 00:00
          é long text. é long text. é long text. é long text. é
          long text. é long text. é long t…  #Home  84.0 kB  no. 4

          ┌────────┐ Memo                         2026-01-03 00:00
          │  WAV   │ WAV recording, 0:02            12.0 kB  no. 3
          └────────┘

          ┌────────┐ Harbour                      2026-01-02 00:00
          │  PNG   │ PNG image, 1×1 pixels   #holiday  70 B  no. 2
          └────────┘

          * Milk, eggs, bread                     2026-01-01 00:00
          and a newspaper             #Home #shopping  34 B  no. 1



         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `the end of the list leaves no room empty`() async throws {
    let output = try await snip.browse("G", "wait", "dump", size: "60x12")

    #expect(
      output.text == """
         store.sqlite  newest first                             5/5

          ┌────────┐ Harbour                      2026-01-02 00:00
          │  PNG   │ PNG image, 1×1 pixels   #holiday  70 B  no. 2
          └────────┘

        ▌ * Milk, eggs, bread                     2026-01-01 00:00
        ▌ and a newspaper             #Home #shopping  34 B  no. 1 ▐
        ▌                                                          ▐
                                                                   ▐
                                                                   ▐
         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `a terminal of twenty columns and five lines is enough`() async throws {
    let output = try await snip.browse("wait", "dump", "G", "wait", "dump", size: "20x5")

    #expect(
      output.text == """
        ▌ An older encoding
          A long one
          Memo
          Harbour
         ? help  enter open…
          A long one
          Memo
          Harbour
        ▌ * Milk, eggs, bre…
         ? help  enter open…

        """
    )
  }

  @Test func `another size is another layout, with the selected snippet on it`() async throws {
    let output = try await snip.browse("G; wait; resize 30x3; wait; dump; resize 70x11; wait; dump")

    #expect(
      output.text == """
          Harbour
        ▌ * Milk, eggs, bread
         ? help  enter open  / find  …
         store.sqlite  newest first                                       5/5

          ┌────────┐ Harbour                                2026-01-02 00:00
          │  PNG   │ PNG image, 1×1 pixels             #holiday  70 B  no. 2
          └────────┘

        ▌ * Milk, eggs, bread                               2026-01-01 00:00
        ▌ and a newspaper                       #Home #shopping  34 B  no. 1 ▐
        ▌                                                                    ▐
                                                                             ▐
         ? help  enter open  / find  t tag  p pin  d trash  u undo  q quit

        """
    )
  }

  @Test func `wide characters are not cut in two`() async throws {
    try await SampleLibrary.makeWide()

    let output = try await snip.browse(
      "wait; dump; resize 33x9; dump",
      size: "32x9",
      ["--store", "wide.sqlite"]
    )

    #expect(
      output.text == """
         wide.sqlite  newest first  1/1

        ▌ 四季の俳句ノートには、はるか…
        ▌ A plain line that is longer t…




         ? help  enter open  / find  t …
         wide.sqlite  newest first   1/1

        ▌ 四季の俳句ノートには、はるかぜ…
        ▌ A plain line that is longer th…




         ? help  enter open  / find  t t…

        """
    )
  }

  @Test func `a backup can be looked at, and says that it cannot be changed`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("Milk")))
    try await store.backUp(to: TemporaryDirectory.file("backup.sqlite"))

    let options = ["--store", "backup.sqlite"]
    let output = try await snip.browse("dump; wait; down; dump", size: "90x8", options)

    let frames = output.text.components(separatedBy: " backup.sqlite  newest first  reading only")
      .dropFirst()
    #expect(frames.count == 2, "\(output)")
    #expect(frames.first?.contains("Nothing can be changed here: ") == true, "\(output)")
    #expect(frames.last?.contains("Nothing can be changed") == false, "\(output)")
  }

  @Test func `an empty store says what to do`() async throws {
    try await TemporaryStore.open("empty.sqlite").close()

    let output = try await snip.browse(
      "d; p; t; enter; dump",
      size: "60x9",
      ["--store", "empty.sqlite"]
    )

    #expect(
      output.text == """
         empty.sqlite  newest first                               0


            No snippets here. `snip add` or `snip import PATH`
                               brings some.



         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `hostile titles, tags and texts are made visible`() async throws {
    let store = try TemporaryStore.open("hostile.sqlite")
    for text in Hostile.texts + [Hostile.line] {
      try await store.save(
        SnippetDraft(.text("\(text)\n\(text)"), title: text, createdAt: Samples.date)
      )
    }
    try await store.close()

    let output = try await snip.browse(
      "wait; dump; pagedown; wait; dump; G; wait; dump; enter; wait; dump; q; /",
      "paste \(Hostile.line)",
      "wait; dump; resize 20x5; dump",
      size: "100x40",
      ["--store", "hostile.sqlite"]
    )

    #expect(output.status == 0 && output.lines.count == 5 * 40 + 5, "\(output)")
    #expect(Hostile.findings(in: output.bytes, isTerminal: false).isEmpty)
  }
}
