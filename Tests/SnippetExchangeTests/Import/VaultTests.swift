import SnippetExchange
import SnippetStorage

/// Tests of a folder of notes that is imported again and again.
protocol VaultTests {
  var store: SnippetStore { get }
  /// The folder.
  var tree: FileTree { get }
}

extension VaultTests {
  @discardableResult
  func importVault(
    makesTagsOfFolders: Bool = false,
    comparesContent: Bool = false,
    movesMissingToTrash: Bool = false
  ) async throws -> ImportReport {
    try await store.importFiles(
      at: [tree.url],
      options: .init(
        makesTagsOfFolders: makesTagsOfFolders,
        comparesContent: comparesContent,
        movesMissingToTrash: movesMissingToTrash
      )
    )
  }

  func row(_ title: String) throws -> SnippetRow? {
    try store.list().rows(in: 0..<99).first { $0.title == title }
  }

  func text(_ id: SnippetID) async throws -> String {
    String(decoding: try await store.content(of: id), as: UTF8.self)
  }
}
