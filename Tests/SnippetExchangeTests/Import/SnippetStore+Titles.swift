import SnippetStorage
import Testing

extension SnippetStore {
  /// The first snippet with a title.
  func row(titled title: String) throws -> SnippetRow {
    let row = try list().rows(in: 0..<99).first { $0.title == title }
    return try #require(row)
  }
}
