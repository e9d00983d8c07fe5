import Foundation
import SnippetBase
import Testing

@testable import SnippetExchange

/// Which file a new one was before.
struct FormerFilesTests {
  let key = FormerFiles.Key(sha256: ContentHash.of(Data()))

  @Test func `each of many equal files is looked at once, in their order`() {
    var files = FormerFiles((0..<1_000).map { (key, "\($0).md") })
    var (looks, found) = (0, [String]())
    for _ in 0..<1_000 {
      let next = files.next(key) { path in
        looks += 1
        // Every tenth one is not there any more.
        return path.hasSuffix("1.md") ? nil : path
      }
      if let next { found.append(next) }
      files.settle()
    }

    #expect(looks == 1_000)
    #expect(found == (0..<1_000).map { "\($0).md" }.filter { !$0.hasSuffix("1.md") })
    #expect(files.next(FormerFiles.Key(sha256: ContentHash.of(Data([1])))) { $0 } == nil)
  }

  @Test func `what came to nothing is handed out again, and what is settled is not`() {
    var files = FormerFiles(["a", "b", "c", "d"].map { (key, $0) })
    #expect(files.next(key) { $0 } == "a")
    files.settle()
    #expect(files.next(key) { $0 == "b" ? nil : $0 } == "c")

    files.putBack()

    #expect((0..<4).map { _ in files.next(key) { $0 } } == ["b", "c", "d", nil])
  }

  @Test func `what could not be found out is handed out again`() {
    struct Failure: Error {}
    var files = FormerFiles([(key, "a")])
    #expect(throws: Failure.self) {
      try files.next(key) { _ -> String? in throw Failure() }
    }

    files.putBack()

    #expect(files.next(key) { $0 } == "a")
  }
}
