import Foundation
import SnippetStore
import SnippetTestSupport
import Testing

@testable import snip

/// Whole frames, as a user sees them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(1)))
struct BrowseFrameTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool()
    try SampleLibrary.make()
  }

  @Test func `the list shows every kind of snippet`() async throws {
    let output = try await snip("browse", "--dump", "--size", "60x24")

    #expect(
      output.text == """
         snip                                                   1/5
        ▌            An older encoding              2026-01-05 00:00
        ▌  Text      Grüße aus Köln über die Autobahn nach München
        ▌
        ▌            5  46 B
                     A long one                     2026-01-04 00:00
           Text      é long text. é long text. é long text. é long
                     text. é long text. é long text. é long text. é…
                     4  84.0 kB  #Home
          ┌────────┐ Memo                           2026-01-03 00:00
          │  WAV   │ 0:02 playing time
          │  0:02  │ WAV recording
          └────────┘ 3  12.0 kB
          ┌────────┐ Harbour                        2026-01-02 00:00
          │  PNG   │ 1×1 pixels
          │  1×1   │ PNG image
          └────────┘ 2  70 B  #holiday
                     * Milk, eggs, bread            2026-01-01 00:00
           Text      and a newspaper

                     1  34 B  #Home #shopping

         cells 5 reuse 0 hit 0 load 6 cancel 0 stale 0 wrong 0  14.…
         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `the end of the list leaves no room empty`() async throws {
    let output = try await snip.browse("G", "wait", "dump", size: "60x12")

    #expect(
      output.text == """
         snip                                                   5/5
          ┌────────┐ Harbour                        2026-01-02 00:00
          │  PNG   │ 1×1 pixels
          │  1×1   │ PNG image
          └────────┘ 2  70 B  #holiday
        ▌            * Milk, eggs, bread            2026-01-01 00:00
        ▌  Text      and a newspaper
        ▌
        ▌            1  34 B  #Home #shopping

         cells 4 reuse 1 hit 0 load 4 cancel 2 stale 0 wrong 0  12.…
         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `a search is shown as it is typed and ends with esc`() async throws {
    let output = try await snip.browse(
      "/",
      "type news",
      "wait",
      "dump",
      "esc",
      "wait",
      "dump",
      size: "60x12"
    )

    #expect(
      output.text == """
         snip  /news                                            1/1
        ▌            * Milk, eggs, bread            2026-01-01 00:00
        ▌  Text      and a newspaper
        ▌
        ▌            1  34 B  #Home #shopping





         cells 3 reuse 1 hit 0 load 4 cancel 4 stale 0 wrong 0  0 B…
        /news█
         snip                                                   5/5
          ┌────────┐ Harbour                        2026-01-02 00:00
          │  PNG   │ 1×1 pixels
          │  1×1   │ PNG image
          └────────┘ 2  70 B  #holiday
        ▌            * Milk, eggs, bread            2026-01-01 00:00
        ▌  Text      and a newspaper
        ▌
        ▌            1  34 B  #Home #shopping

         cells 4 reuse 5 hit 0 load 8 cancel 6 stale 0 wrong 0  12.…
         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `kinds are switched off and on`() async throws {
    let output = try await snip.browse(
      "1",
      "3",
      "wait",
      "dump",
      "3",
      "wait",
      "dump",
      size: "60x9"
    )

    #expect(
      output.text == """
         snip  image                                            1/1
        ▌ Harbour                                   2026-01-02 00:00
        ▌ 1×1 pixels  #holiday




         cells 4 reuse 2 hit 0 load 7 cancel 6 stale 0 wrong 0  198…
         ? help  enter open  / find  t tag  p pin  d trash  u undo …
         snip  image  voice                                     2/2
          Memo                                      2026-01-03 00:00
          0:02 playing time
        ▌ Harbour                                   2026-01-02 00:00
        ▌ 1×1 pixels  #holiday


         cells 4 reuse 4 hit 0 load 9 cancel 6 stale 0 wrong 0  12.…
         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `a deletion is told of and undone`() async throws {
    let output = try await snip.browse(
      "down",
      "d",
      "wait",
      "dump",
      "u",
      "wait",
      "dump",
      size: "60x12"
    )

    #expect(
      output.text == """
         snip                                                   2/4
                     An older encoding              2026-01-05 00:00
           Text      Grüße aus Köln über die Autobahn nach München

                     5  46 B
        ▌ ┌────────┐ Memo                           2026-01-03 00:00
        ▌ │  WAV   │ 0:02 playing time
        ▌ │  0:02  │ WAV recording
        ▌ └────────┘ 3  12.0 kB
          ┌────────┐ Harbour                        2026-01-02 00:00
         cells 4 reuse 0 hit 0 load 5 cancel 1 stale 0 wrong 0  12.…
         Moved to the trash: A long one. u brings it back.
         snip                                                   2/5
        ▌            A long one                     2026-01-04 00:00
        ▌  Text      é long text. é long text. é long text. é long
        ▌            text. é long text. é long text. é long text. é…
        ▌            4  84.0 kB  #Home
          ┌────────┐ Memo                           2026-01-03 00:00
          │  WAV   │ 0:02 playing time
          │  0:02  │ WAV recording
          └────────┘ 3  12.0 kB
          ┌────────┐ Harbour                        2026-01-02 00:00
         cells 4 reuse 1 hit 0 load 7 cancel 1 stale 0 wrong 0  14.…
         Brought back.

        """
    )
    #expect(try await snip("list", "--trash", "--json").bytes.isEmpty)
  }

  @Test func `a snippet is tagged and pinned`() async throws {
    let output = try await snip.browse(
      "p",
      "t",
      "type new -x #y",
      "dump",
      "enter",
      "wait",
      "dump",
      size: "60x9"
    )

    #expect(
      output.text == """
         snip                                                   1/5
        ▌ An older encoding                         2026-01-05 00:00
        ▌ Grüße aus Köln über die Autobahn nach München
          A long one                                2026-01-04 00:00
          é long text. é long text. é long text. é long text. é lon…
          Memo                                      2026-01-03 00:00
          0:02 playing time
         cells 3 reuse 0 hit 0 load 4 cancel 0 stale 0 wrong 0  0 B…
        tag: new -x #y█
         snip                                                   1/5
        ▌ * An older encoding                       2026-01-05 00:00
        ▌ Grüße aus Köln über die Autobahn nach München  #new #y
          A long one                                2026-01-04 00:00
          é long text. é long text. é long text. é long text. é lon…
          Memo                                      2026-01-03 00:00
          0:02 playing time
         cells 3 reuse 0 hit 0 load 6 cancel 0 stale 0 wrong 0  14.…
         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `a text is opened to be read, a recording to see its facts`() async throws {
    let output = try await snip.browse(
      "G",
      "enter",
      "wait",
      "dump",
      "q",
      "k",
      "k",
      "enter",
      "dump",
      size: "60x12"
    )

    let changed = try Regex("changed  .*")
    #expect(
      output.text.replacing(changed, with: "changed  …") == """
        Milk, eggs, bread
        and a newspaper









         Milk, eggs, bread  q back
        title    Memo
        kind     voice
        type     audio/wav
        time     0:02
        size     12.0 kB
        created  2026-01-03 00:00
        changed  …
        number   3

        `snip cat 3 -o FILE` writes its bytes.

         Memo  q back

        """
    )
  }

  @Test func `help is drawn from the table of keys`() async throws {
    let output = try await snip.browse("?", "dump", size: "80x24")

    #expect(
      output.text == """
        down j                 one snippet down
        up k                   one snippet up
        pagedown space ctrl-f  one screen down; held, all of these become faster
        pageup b ctrl-b        one screen up
        home g                 to the first snippet
        end G                  to the last snippet
        enter                  open the snippet
        /                      find what holds the words that you type
        esc                    end the search
        1                      texts on and off
        2                      images on and off
        3                      recordings on and off
        t                      put tags on, or take them off with a minus before them
        p                      pin or unpin
        d delete               move to the trash
        u                      bring back what was moved to the trash last
        ?                      this help
        ctrl-l                 draw the screen again
        ctrl-z                 back to the shell for a while
        q                      quit
        ctrl-c                 quit at once


         Keys  q back

        """
    )
  }

  @Test func `a terminal of twenty columns and five lines is enough`() async throws {
    let output = try await snip.browse("wait", "dump", "G", "wait", "dump", size: "20x5")

    #expect(
      output.text == """
        ▌ An older encoding
        ▌ Grüße aus Köln üb…
          A long one
          é long text. é lo…
         ? help  enter open…
          Harbour
          1×1 pixels  #holi…
        ▌ * Milk, eggs, bre…
        ▌ and a newspaper  …
         ? help  enter open…

        """
    )
  }

  @Test func `another size is another layout, with the selected snippet on it`() async throws {
    let output = try await snip.browse(
      "G",
      "wait",
      "resize 30x3",
      "wait",
      "dump",
      "resize 70x11",
      "wait",
      "dump"
    )

    #expect(
      output.text == """
          Harbour
        ▌ * Milk, eggs, bread
         ? help  enter open  / find  …
         snip                                                             5/5
          ┌────────┐ Harbour                                  2026-01-02 00:00
          │  PNG   │ 1×1 pixels
          │  1×1   │ PNG image
          └────────┘ 2  70 B  #holiday
        ▌            * Milk, eggs, bread                      2026-01-01 00:00
        ▌  Text      and a newspaper
        ▌
        ▌            1  34 B  #Home #shopping
         cells 4 reuse 1 hit 0 load 6 cancel 0 stale 0 wrong 0  14.8 kB  0.0 …
         ? help  enter open  / find  t tag  p pin  d trash  u undo  q quit

        """
    )
  }

  @Test func `wide characters are not cut in two`() async throws {
    try SampleLibrary.makeWide()

    let output = try await snip.browse(
      "wait",
      "dump",
      "resize 33x9",
      "dump",
      size: "32x9",
      ["--store", "wide.sqlite"]
    )

    #expect(
      output.text == """
         snip                       1/1
        ▌ 四季の俳句ノートには、はるか…
        ▌ A plain line that is longer t…




         cells 1 reuse 0 hit 0 load 0 c…
         ? help  enter open  / find  t …
         snip                        1/1
        ▌ 四季の俳句ノートには、はるかぜ…
        ▌ A plain line that is longer th…




         cells 1 reuse 0 hit 0 load 0 ca…
         ? help  enter open  / find  t t…

        """
    )
  }

  @Test func `an empty store says what to do`() async throws {
    let output = try await snip.browse(
      "d",
      "p",
      "t",
      "enter",
      "dump",
      size: "60x9",
      ["--store", "empty.sqlite"]
    )

    #expect(
      output.text == """
         snip                                                     0


                            Nothing is kept yet.
               `snip import PATH` or `snip demo` brings some.


         cells 0 reuse 0 hit 0 load 0 cancel 0 stale 0 wrong 0  0 B…
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
    try store.close()

    let output = try await snip.browse(
      "wait",
      "dump",
      "pagedown",
      "wait",
      "dump",
      "G",
      "wait",
      "dump",
      "enter",
      "wait",
      "dump",
      "q",
      "/",
      "paste \(Hostile.line)",
      "wait",
      "dump",
      "resize 20x5",
      "dump",
      size: "100x40",
      ["--store", "hostile.sqlite"]
    )

    #expect(output.status == 0 && output.lines.count == 5 * 40 + 5, "\(output)")
    #expect(Hostile.findings(in: output.bytes, isTerminal: false).isEmpty)
  }
}
