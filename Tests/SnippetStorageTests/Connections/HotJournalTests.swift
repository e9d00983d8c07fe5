import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Another program was killed while it wrote to a backup, which has no log.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct HotJournalTests {
  private let file: URL

  init() async throws {
    file = try await TornBackup.make("torn.sqlite")
  }

  // As the commands open it that write, that show snippets, and that look at the file itself.
  @Test(
    arguments: [
      (.readWriteCreate, .completed), (.readOnly, .unaltered), (.readOnly, .anyVersion),
    ] as [(SnippetStore.Configuration.Access, SnippetStore.Configuration.Preparation)]
  )
  func `it is rolled back where the file may be written`(
    access: SnippetStore.Configuration.Access,
    preparation: SnippetStore.Configuration.Preparation
  ) async throws {
    let store = try TemporaryStore.open("torn.sqlite") {
      $0.access = access
      $0.preparation = preparation
    }

    #expect(try store.list(order: .byTitle).rows(in: 0..<99).map(\.title) == TornBackup.titles)
    #expect(try await store.check().isSound)
    #expect(!FileManager.default.fileExists(atPath: file.path + "-journal"))
  }

  @Test func `a backup that is half of a transaction is restored as it was before`() async throws {
    let store = TemporaryDirectory.file("store.sqlite")

    try await SnippetStore.restore(from: file, to: store)

    let restored = try TemporaryStore.open()
    #expect(try restored.list(order: .byTitle).rows(in: 0..<99).map(\.title) == TornBackup.titles)
  }

  #if !os(iOS)
  @Test(arguments: [(0o444, 0o777), (0o666, 0o555), (0o444, 0o555)])
  func `it is refused where the file or its folder may not be written`(
    mode: Int,
    modeOfFolder: Int
  ) async throws {
    for suffix in ["", "-journal"] { try FileSystem.setMode(mode, of: file.path + suffix) }
    try FileSystem.setMode(modeOfFolder, of: TemporaryDirectory.current.url.path)
    let journal = try await Shell.sha256(URL(fileURLWithPath: file.path + "-journal"))

    await #expect(processExitsWith: .success) { [path = file.path as String] in
      FileSystem.dropPrivileges()
      for access in [SnippetStore.Configuration.Access.readOnly, .readWrite] {
        let error = #expect(throws: SnippetStoreError.self) {
          try SnippetStore(at: URL(fileURLWithPath: path), configuration: .init(access: access))
        }
        #expect(error?.code == .unreadable)
        #expect(
          error?.description == """
            Could not open the store \(path): another program was stopped while it wrote, and its \
            changes cannot be undone here. Copy it, with the -journal beside it, to where both can \
            be written, and use the copy.
            """
        )
      }
    }
    try FileSystem.setMode(0o755, of: TemporaryDirectory.current.url.path)
    #expect(try await Shell.sha256(URL(fileURLWithPath: file.path + "-journal")) == journal)
  }
  #endif
}
