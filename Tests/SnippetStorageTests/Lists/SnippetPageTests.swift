import Foundation
import GRDB
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SnippetPageTests {
  @Test(arguments: [false, true])
  func `a page holds the rows, where they stand and how many there are`(
    isInMemory: Bool
  ) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    try await fill(store, 300)
    // The first has fences, the second remembers each identity.
    for filter in [SnippetFilter.all, SnippetFilter(tags: ["rare"])] {
      let list = store.list(filter, order: .oldestFirst)
      let count = try list.count
      let all = try list.rows(in: 0..<count)

      for range in [0..<5, 3..<count, 7..<9999, -5..<2, 0..<0, Int.min..<Int.max] {
        let page = try list.page(range)
        let held = range.clamped(to: 0..<count)
        #expect(page.count == count)
        #expect(page.start == held.lowerBound)
        #expect(page.rows == Array(all[held]))
      }
      #expect(try list.page(9000..<9009).start == count)
      #expect(try list.page(9000..<9009).rows == [])
    }
  }

  @Test func `a list of nothing has an empty page`() throws {
    let page = try TemporaryStore.open().list().page(0..<50)

    #expect((page.count, page.start, page.rows) == (0, 0, []))
  }

  @Test(arguments: [false, true])
  func `the version stays until somebody commits`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello")))
    let list = store.list()
    var versions = [try list.page(0..<9).version]

    #expect(try list.page(5..<9).version == versions[0])
    #expect(try list.count == 1)
    _ = try list.position(of: row.id)
    #expect(try list.page(0..<1).version == versions[0])

    try await store.apply(SnippetEdit(title: "new"), to: row.id)
    versions.append(try list.page(0..<9).version)
    try await store.delete([row.id])
    versions.append(try list.page(0..<9).version)
    if !isInMemory {
      _ = try await Shell.sqlite3(
        TemporaryDirectory.file("store.sqlite"),
        "INSERT INTO snippet (kind) VALUES (1)"
      )
      versions.append(try list.page(0..<9).version)
    }

    #expect(Set(versions).count == versions.count)
    #expect(try list.page(0..<9).version == versions.last)
  }

  // Each commit adds 40 snippets and gives all of them one title.
  @Test func `count, version and rows agree while another thread writes`() async throws {
    let store = try TemporaryStore.open()
    let list = store.list(order: .oldestFirst)

    let pages = try await Threads.atOnce(3) { number -> [SnippetPage] in
      if number > 0 { return try (0..<60).map { try list.page($0 % 7..<1000) } }
      for commit in 1...15 {
        try store.connections.write(to: "add 40") { db in
          for _ in 0..<40 { try db.execute(sql: "INSERT INTO snippet (kind) VALUES (1)") }
          try db.execute(sql: "UPDATE snippet SET title = ?", arguments: ["\(commit)"])
        }
      }
      return []
    }

    var states: [Int64: Int] = [:]
    for page in pages.joined() {
      #expect(page.count % 40 == 0)
      #expect(page.rows.count == max(0, page.count - page.start))
      #expect(page.rows.allSatisfy { $0.title == "\(page.count / 40)" })
      #expect(states[page.version, default: page.count] == page.count)
      states[page.version] = page.count
    }
    // As many versions as states were seen.
    #expect(Set(states.values).count == states.count)
    #expect(try list.page(0..<1).count == 600)
  }

  private func fill(_ store: SnippetStore, _ count: Int) async throws {
    let drafts = (0..<count).map { number in
      SnippetDraft(
        .text("\(number)"),
        tags: number % 20 == 0 ? ["rare"] : [],
        createdAt: Samples.date.addingTimeInterval(Double(number))
      )
    }
    let report = try await store.save(contentsOf: drafts)
    #expect(report.savedCount == count)
  }
}
