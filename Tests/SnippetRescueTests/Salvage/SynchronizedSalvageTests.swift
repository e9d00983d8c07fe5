import SnippetRescue
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SynchronizedSalvageTests {
  private let file = TemporaryDirectory.file("damaged.sqlite")
  private let new = TemporaryDirectory.file("new.sqlite")

  // It may have lost what the others have, so it must not pass for the store that they know.
  @Test func `a salvaged store keeps its snippets, and must join its repository anew`()
    async throws
  {
    let store = try SnippetStore(at: file)
    try await store.save(SnippetDraft(.text("a text"), tags: ["tag"]))
    try await store.save(Samples.image(Samples.bytes(1000)))
    try await store.close()
    let output = try await Shell.sqlite3(file, SyncSample.state + SyncSample.rows)
    try #require(output == Shell.Output(standardOutput: ""))

    let report = try await SnippetStore.salvage(from: file, to: new)

    #expect(report.isComplete, "\(report)")
    #expect(try await Shell.sqlite3(file, SyncSample.rowCount).standardOutput == "8\n")
    #expect(try await Shell.sqlite3(new, SyncSample.rowCount).standardOutput == "0\n")
    let identities = "SELECT id, hex(uuid), revision FROM snippet"
    #expect(try await Shell.sqlite3(new, identities) == Shell.sqlite3(file, identities))
    let salvaged = try SnippetStore(at: new)
    #expect(try await salvaged.check().isSound)
    try await salvaged.close()
  }
}
