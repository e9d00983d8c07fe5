import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SharedMemoryTests {
  // Not every disk for backups has that.
  @Test func `a copy needs no memory that programs share`() async {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    await #expect(processExitsWith: .success) { [folder = folder as URL] in
      let store = try SnippetStore(at: folder.appendingPathComponent("store.sqlite"))
      try await store.save(SnippetDraft(.text("Milk")))
      let injector = FaultInjector.install(watching: folder)
      let shared = Lock<[String]>([])
      injector.pause { call, path in
        if call == .share { shared.withLock { $0.append(path) } }
      }

      let report = try await store.backUp(to: folder.appendingPathComponent("backup.sqlite"))
      injector.pause(nil)

      #expect(report.isSound)
      #expect(shared.withLock { $0 }.filter { $0.contains(".partial") } == [])
      #expect(shared.withLock { !$0.isEmpty }, "the store itself shares memory")
      try await store.close()
    }
  }
}
