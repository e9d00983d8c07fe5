import Foundation
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory)
struct StubTests {
  @Test func `it runs`() async throws {
    let snip = try SnipTool()
    print(try await snip("info"))
    print(try await snip.onTerminal("info"))
    print(try await snip("add", "--text", "Milk, eggs"))
    print(try await snip.onTerminal("list"))
  }
}
