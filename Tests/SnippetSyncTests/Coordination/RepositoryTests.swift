import Testing

@testable import SnippetSync

struct RepositoryTests {
  @Test func `a blob of any size has a number of parts`() {
    let size = Repository.partSize
    for (byteCount, count) in [
      (.min, 1), (-1, 1), (0, 1), (1, 1), (size, 1), (size + 1, 2), (2 * size, 2),
      (.max, Int64.max / size + 1),
    ] {
      #expect(Repository.partCount(of: byteCount) == count, "\(byteCount)")
    }
  }
}
