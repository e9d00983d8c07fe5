import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ViewTests {
  @Test(arguments: StorePlace.allCases)
  func `the views are there to be read`(_ place: StorePlace) async throws {
    let store = try place.open()
    _ = try await store.save(Samples.image(Samples.bytes(10)))
    _ = try await store.save(SnippetDraft(.text("text"), tags: ["tag"]))

    for (view, count) in [
      ("snippets", 2), ("texts", 1), ("blobs", 1), ("small_blobs", 1), ("tags", 1),
    ] {
      #expect(try store.rows(of: "SELECT * FROM \(view)").count == count, "\(view)")
    }
  }
}
