import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct WatchCommandTests {
  private let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  @Test func `a watch tells of the changes of the program and of the shell`() async throws {
    try await SampleLibrary.make()
    let store = try SnippetStore(at: snip.store)
    let last = try await store.lastChange
    try await store.close()
    let watch = try snip.start(["watch", "--after", "\(last)"])

    _ = try await snip("edit", "1", "--title", "Oat milk")
    _ = try await Shell.sqlite3(snip.store, "UPDATE snippet SET pinned = 1 WHERE id = 2")
    // As they come, not when the program ends.
    let lines = try await watch.firstLines(2)
    watch.send(SIGINT)

    #expect(
      lines.first?.hasPrefix("\(last.rawValue + 1)  updated  1  Oat milk") == true,
      "\(lines)"
    )
    #expect(lines.last?.hasPrefix("\(last.rawValue + 2)  updated  2  ") == true, "\(lines)")
    #expect(try await watch.output().status == 130)
  }

  @Test func `what was changed before is reported as lines of JSON`() async throws {
    _ = try await snip("add", "--text", "Milk", "--tag", "shop")
    _ = try await snip("rm", "1")
    _ = try await snip("undelete", "1")

    let output = try await snip("watch", "--json", "--after", "0", "--limit", "5")

    #expect(output.status == 0)
    let events = try output.json("event").compactMap(\.string)
    #expect(events == ["inserted", "tagged", "updated", "trashed", "undeleted"], "\(output)")
    #expect(try output.json("id").compactMap(\.integer) == [1, 1, 1, 1, 1])
    #expect(try output.json("change").compactMap(\.integer) == [1, 2, 3, 4, 5])
  }
}
