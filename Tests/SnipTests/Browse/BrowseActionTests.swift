import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import snip

/// Whole frames, as a user sees them who looks for, changes and opens snippets.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BrowseActionTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
  }

  @Test func `a search is shown as it is typed and ends with esc`() async throws {
    let output = try await snip.browse("/; type news; wait; dump; esc; wait; dump", size: "60x12")

    #expect(
      output.text == """
         snip  /news                                            1/1
        ▌            * Milk, eggs, bread            2026-01-01 00:00
        ▌  Text      and a newspaper
        ▌
        ▌            1  34 B  #Home #shopping





         cells 3 reuse 1 hit 0 load 5 cancel 3 stale 0 wrong 0  162…
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

         cells 4 reuse 5 hit 1 load 8 cancel 4 stale 0 wrong 0  12.…
         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `kinds are switched off and on`() async throws {
    let output = try await snip.browse("1", "3", "wait", "dump", "3", "wait", "dump", size: "60x9")

    #expect(
      output.text == """
         snip  image                                            1/1
        ▌ Harbour                                   2026-01-02 00:00
        ▌ 1×1 pixels  #holiday




         cells 4 reuse 0 hit 0 load 4 cancel 3 stale 0 wrong 0  198…
         ? help  enter open  / find  t tag  p pin  d trash  u undo …
         snip  image  voice                                     2/2
          Memo                                      2026-01-03 00:00
          0:02 playing time
        ▌ Harbour                                   2026-01-02 00:00
        ▌ 1×1 pixels  #holiday


         cells 4 reuse 1 hit 0 load 5 cancel 3 stale 0 wrong 0  12.…
         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `a deletion is reported and undone`() async throws {
    let output = try await snip.browse("down; d; wait; dump; u; wait; dump", size: "60x12")

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
      "p; t; type new -x #y; dump; enter; wait; dump",
      size: "60x9"
    )

    #expect(
      output.text == """
         snip                                                   1/5
        ▌ * An older encoding                       2026-01-05 00:00
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
    let output = try await snip.browse("G; enter; wait; dump; q; k; k; enter; dump", size: "60x12")

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
        sound    8000 Hz, mono
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
        enter o                open the snippet on the whole screen
        R                      try again what could not be loaded or drawn
        /                      find what holds the words that you type
        esc                    end the search
        1                      texts on and off
        2                      images on and off
        3                      recordings on and off
        t                      put tags on, or take them off with a minus before them
        p                      pin or unpin
        d delete               move to the trash
        u                      take back the last change; in the trash, bring back
        ?                      this help
        ctrl-l                 draw the screen again
        ctrl-z                 back to the shell for a while
        q                      quit
        ctrl-c                 quit at once

         Keys  q back

        """
    )
  }
}
