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
    let store = try TemporaryStore.open()
    let screen = BrowseScreen(store: store, surroundings: surroundings)
    defer { screen.close() }

    screen.opened.offer(.sixels)
    #expect(screen.opened.pixels == nil)
    screen.opened.offer(.kitty)
    #expect(screen.opened.pixels == .kitty)

    surroundings.offeredPixels = [.kitty, .sixels]
    let other = BrowseScreen(store: store, surroundings: surroundings)
    defer { other.close() }
    for form in [PictureForm.sixels, .kitty, .sixels] { other.opened.offer(form) }
    #expect(other.opened.pixels == .kitty)
  }
}
