#if os(Linux)
import CStoreFaults
import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

/// A file system that knows no locks but those of POSIX.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct PosixLocksTests {
  @Test(arguments: [false, true])
  func `a store uses the locks that its file system has`(isOld: Bool) async {
    let folder = TemporaryDirectory.current.url.resolvingSymlinksInPath()
    await #expect(processExitsWith: .success) {
      [folder = folder as URL, isOld = isOld as Bool] in
      _ = FaultInjector.install(watching: folder)
      if isOld { snippet_store_faults_know_posix_locks_only() }
      let file = folder.appendingPathComponent("store.sqlite")
      try await SnippetStore(at: file).close()
      let reader = try SnippetStore(at: file, configuration: .init(access: .readOnly))
      let writers = [try SnippetStore(at: file), try SnippetStore(at: file)]
      for writer in writers { try await writer.save(SnippetDraft(.text("hello"))) }
      #expect(try reader.list().count == 2)

      let shell = try await Shell.sqlite3(
        file,
        "INSERT INTO snippet (kind, title) VALUES (1, 'by the shell')"
      )

      #expect(shell.standardError == "")
      #expect(try reader.list().count == 3)
      #expect(LockOwner(of: file) == (isOld ? .process : .descriptor))
      for store in [reader] + writers { try await store.close() }
      #expect(!FileManager.default.fileExists(atPath: file.path + "-wal"))
    }
  }
}
#endif
