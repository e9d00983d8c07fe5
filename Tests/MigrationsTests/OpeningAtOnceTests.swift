import Foundation
import Migrations
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OpeningAtOnceTests {
  @Test func `threads that open a new file at once all get a store`() async throws {
    for round in 0..<20 {
      let url = TemporaryDirectory.file("threads-\(round).sqlite")

      let stores = try await Threads.atOnce(4) { number in
        let store = try SnippetStore(at: url)
        _ = try await store.save(SnippetDraft(.text("thread \(number)")))
        return store
      }

      for store in stores {
        #expect(try store.list().count == 4)
        #expect(try await store.information().schemaVersion == Migrations.latestVersion)
        try await store.close()
      }
    }
  }

  #if !os(iOS)
  // The pipe holds both processes until this one opens it for writing, at each round.
  @Test func `processes that open new files at once all get stores`() async throws {
    let folder = TemporaryDirectory.current.url.path
    let roundCount = 10
    for round in 0..<roundCount {
      #expect(mkfifo("\(folder)/start-\(round)", 0o600) == 0)
    }

    async let first = #expect(processExitsWith: .success) {
      [folder = folder as String, roundCount = roundCount as Int] in
      try await openAll(in: folder, roundCount)
    }
    async let second = #expect(processExitsWith: .success) {
      [folder = folder as String, roundCount = roundCount as Int] in
      try await openAll(in: folder, roundCount)
    }
    let opener = Gate()
    Thread.detachNewThread {
      for round in 0..<roundCount {
        let descriptor = open("\(folder)/start-\(round)", O_WRONLY)
        // The slower process finds the pipe open; it stays so to the end.
        precondition(descriptor >= 0)
      }
      opener.open()
    }
    _ = await (first, second)
    await opener.untilOpen()

    for round in 0..<roundCount {
      let store = try TemporaryStore.open("processes-\(round).sqlite")
      #expect(try store.list().count == 2)
    }
  }
  #endif
}

/// Opens one new store after the other, each when its pipe is opened.
private func openAll(in folder: String, _ roundCount: Int) async throws {
  for round in 0..<roundCount {
    let descriptor = open("\(folder)/start-\(round)", O_RDONLY)
    precondition(descriptor >= 0)
    let store = try SnippetStore(at: URL(fileURLWithPath: "\(folder)/processes-\(round).sqlite"))
    _ = try await store.save(SnippetDraft(.text("round \(round)")))
    try await store.close()
    close(descriptor)
  }
}
