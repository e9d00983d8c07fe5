import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import Testing

/// The terminal of the article on showing lists, as it stands there.
@MainActor
@Suite(.timeLimit(.minutes(30)))
struct TerminalListTests {
  private static let picture = Samples.png

  @Test func `it shows texts and pictures, and scrolls`() async throws {
    let store = try await SnippetStore.inMemory()
    let start = Date(timeIntervalSince1970: 1_700_000_000)
    for number in 0..<20 {
      let isPicture = number % 2 == 1
      try await store.save(
        SnippetDraft(
          isPicture ? .bytes(Self.picture + Data(count: number)) : .text("Note \(number)"),
          kind: isPicture ? .image : .text,
          title: isPicture ? "Picture \(number)" : "",
          createdAt: start.addingTimeInterval(Double(-number))
        )
      )
    }
    let screen = TerminalList(store: store, height: 3)

    screen.scroll(to: 0)
    await screen.settled()
    #expect(screen.picture == "Note 0 \nPicture 1 \(Self.picture.count + 1) bytes\nNote 2 ")

    screen.scroll(to: 9)
    #expect(screen.picture.hasPrefix("Picture 9 "))
    await screen.settled()
    #expect(
      screen.picture
        == "Picture 9 \(Self.picture.count + 9) bytes\nNote 10 \nPicture 11 \(Self.picture.count + 11) bytes"
    )

    screen.scroll(to: 100)
    await screen.settled()
    #expect(screen.first == 17)
    #expect(screen.picture.hasSuffix("Picture 19 \(Self.picture.count + 19) bytes"))
  }
}
