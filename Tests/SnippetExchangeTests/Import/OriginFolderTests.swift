import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// The folders of origins around a path and in it.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OriginFolderTests {
  @Test func `folders around a path and in it are found, and neither archives nor others`() throws {
    // Folders without files are a flaw of a store.
    let store = try TemporaryStore.open(isCheckedAtEnd: false)
    try store.seam.write(to: "test") { db in
      let origins = OriginStatements(db: db)
      for path in ["/a/b", "/a/b/c/d", "/a", "/a/bc", "/a/b/e.zip/", "//"] {
        _ = try origins.makeFolder(at: path)
      }

      #expect(try origins.folder(around: "/a/b/c") == "/a/b")
      #expect(try origins.folder(around: "/a/b") == "/a/b")
      #expect(try origins.folder(around: "/a/bcd") == "/a")
      #expect(try origins.folder(around: "/a/b/e.zip/x") == "/a/b")
      #expect(try origins.folder(around: "/x") == nil)
      #expect(try origins.folders(in: "/a/b").map { $0.path } == ["/a/b/c/d"])
      #expect(
        try origins.folders(in: "/").map { $0.path } == ["/a/b", "/a/b/c/d", "/a", "/a/bc"]
      )
      #expect(try origins.folders(in: "/a/b/e.zip/").isEmpty)
    }
  }
}
