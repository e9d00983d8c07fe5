import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import Testing

/// The samples of README and of cells without a data source, run.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ReadmeSampleTests {
  @Test func `the sample of README saves, imports and lists`() async throws {
    let tool = try SnipTool()
    try tool.write(try DemoFiles.bytes("sunset-over-hills.png"), "Photos/a.png")

    try await rememberMilk(in: tool.folder)

    let store = try SnippetStore(at: tool.folder.appendingPathComponent("snippets.sqlite"))
    #expect(try store.list().count == 2)
    try await store.close()
  }

  @Test func `cells of any kind show the first screen`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(contentsOf: (0..<20).map { Samples.image(Samples.bytes(100 + $0)) })

    let cells = await showFirstScreen(of: store)

    let byteCounts = await MainActor.run { cells.map(\.byteCount) }
    #expect(byteCounts == (0..<12).map { 119 - $0 })
  }
}
