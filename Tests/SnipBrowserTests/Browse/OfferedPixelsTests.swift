import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnipBrowser

@Suite(
  .enabled(if: TerminalAbilities.libraryVersion != nil),
  .temporaryDirectory,
  .timeLimit(.minutes(30))
)
struct OfferedPixelsTests {
  @MainActor
  @Test func `pixels that are not taken are not drawn in, and kitty's come first`() throws {
    var surroundings = BrowseSurroundings()
    surroundings.offeredPixels = [.kitty]
    let screen = BrowseScreen(store: try TemporaryStore.open(), surroundings: surroundings)
    defer { screen.close() }

    screen.offer(.sixels)
    #expect(screen.pixels == nil)
    screen.offer(.kitty)
    #expect(screen.pixels == .kitty)

    surroundings.offeredPixels = [.kitty, .sixels]
    let other = BrowseScreen(store: screen.store, surroundings: surroundings)
    defer { other.close() }
    for form in [PictureForm.sixels, .kitty, .sixels] { other.offer(form) }
    #expect(other.pixels == .kitty)
  }
}
