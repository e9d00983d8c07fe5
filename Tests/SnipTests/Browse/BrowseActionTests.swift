import Foundation
import SnippetTestSupport
import Testing

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
         store.sqlite  /news                                    1/1

        ▌ * Milk, eggs, bread                     2026-01-01 00:00
        ▌ and a newspaper             #Home #shopping  34 B  no. 1
        ▌






        /news█
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

  @Test func `kinds are switched off and on`() async throws {
    let output = try await snip.browse("1", "3", "wait", "dump", "3", "wait", "dump", size: "60x9")

    #expect(
      output.text == """
         store.sqlite  newest first  image                      1/1

        ▌ Harbour                                 2026-01-02 00:00
        ▌ PNG image, 1×1 pixels  #holiday




         ? help  enter open  / find  t tag  p pin  d trash  u undo …
         store.sqlite  newest first  image  voice               2/2

          Memo                                    2026-01-03 00:00
          WAV recording, 0:02

        ▌ Harbour                                 2026-01-02 00:00
        ▌ PNG image, 1×1 pixels  #holiday

         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `a deletion is reported and undone`() async throws {
    let output = try await snip.browse("down; d; wait; dump; u; wait; dump", size: "60x12")

    #expect(
      output.text == """
         store.sqlite  newest first                             2/4
                                                                   ▐
          An older encoding                       2026-01-05 00:00 ▐
          Grüße aus Köln über die Autobahn nach München            ▐
                                                       46 B  no. 5 ▐
                                                                   ▐
        ▌ ┌────────┐ Memo                         2026-01-03 00:00
        ▌ │  WAV   │ WAV recording, 0:02            12.0 kB  no. 3
        ▌ └────────┘

          ┌────────┐ Harbour                      2026-01-02 00:00
         Moved to the trash: A long one. u brings it back.
         store.sqlite  newest first                             2/5

        ▌ A long one                              2026-01-04 00:00
        ▌ é long text. é long text. é long text. é long text. é    ▐
        ▌ long text. é long text. é long t…  #Home  84.0 kB  no. 4 ▐
                                                                   ▐
          ┌────────┐ Memo                         2026-01-03 00:00 ▐
          │  WAV   │ WAV recording, 0:02            12.0 kB  no. 3
          └────────┘

          ┌────────┐ Harbour                      2026-01-02 00:00
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
         store.sqlite  newest first                             1/5
                                                                   ▐
        ▌ * An older encoding                     2026-01-05 00:00 ▐
        ▌ Grüße aus Köln über die Autobahn nach München

          A long one                              2026-01-04 00:00
          é long text. é long text. é long text. é long text. é l…

        tags: new -x #y█
         store.sqlite  newest first                             1/5
                                                                   ▐
        ▌ * An older encoding                     2026-01-05 00:00 ▐
        ▌ Grüße aus Köln über die Autobahn nach München  #new #y

          A long one                              2026-01-04 00:00
          é long text. é long text. é long text. é long text. é l…

         ? help  enter open  / find  t tag  p pin  d trash  u undo …

        """
    )
  }

  @Test func `a text is opened to be read, a recording to see its facts`() async throws {
    let output = try await snip.browse(
      "G; enter; wait; dump; q; k; k; enter; wait; dump",
      size: "60x12"
    )

    let changed = try Regex("changed  .*")
    #expect(
      output.text.replacing(changed, with: "changed  …") == """

           Text  34 B  #Home #shopping  2026-01-01 00:00

           Milk, eggs, bread
           and a newspaper






         Milk, eggs, bread        ←/→ next  i facts  o open  q back
                                                                   ▐
           Memo                                                    ▐
                                                                   ▐
           kind     voice                                          ▐
           type     audio/wav                                      ▐
           time     0:02                                           ▐
           sound    8000 Hz, mono                                  ▐
           size     12.0 kB                                        ▐
           created  2026-01-03 00:00                               ▐
           changed  …
           number   3
         Memo  1–11 of 13      space play  ←/→ next  o open  q back

        """
    )
  }

  @Test func `help is drawn from the table of keys`() async throws {
    let output = try await snip.browse("?", "dump", size: "80x24")

    #expect(
      output.text == """
                                                                                       ▐
           Keys in the list                                                            ▐
                                                                                       ▐
           down j           one snippet down                                           ▐
           up k             one snippet up                                             ▐
           pagedown ctrl-f  one screen down; held, all of these become faster          ▐
           pageup b ctrl-b  one screen up                                              ▐
           home g           to the first snippet                                       ▐
           end G            to the last snippet                                        ▐
           enter            open the snippet on the whole screen                       ▐
           e                edit the text or note in $VISUAL or $EDITOR                ▐
           o                open a copy elsewhere; changes to it are not kept          ▐
           space            play the recording, or stop it
           y                copy the text; of anything else the title
           R                retry failed loads and drawings
           /                find snippets with the words that you type
           esc              end the search; without one, take the marks off
           1                texts on and off
           2                images on and off
           3                recordings on and off
           s                order by the next of the dates, the title and so on
           S                turn the order around
           J                to a date, such as 2024, 2024-03 or 2024-03-05
         Keys in the list  1–23 of 44                                            q back

        """
    )
  }
}
