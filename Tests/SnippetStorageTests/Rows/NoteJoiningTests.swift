import Foundation
import Testing

@testable import SnippetStorage

/// Notes that were edited in several places.
struct NoteJoiningTests {
  private func joined(_ texts: [[String]]) -> [String] {
    let texts = texts.map { $0.joined(separator: NoteJoining.separator) }
    return NoteJoining.joined(texts).note.components(separatedBy: NoteJoining.separator)
  }

  @Test func `a text adds the parts that no text before it has`() {
    #expect(joined([["a", "b"], ["b", "c"], ["c", "a", "d"]]) == ["a", "b", "c", "d"])
    #expect(joined([["a", "b", "c"], ["b"]]) == ["a", "b", "c"])
  }

  @Test func `a text keeps a part that it has twice`() {
    #expect(joined([["a"], ["b", "a", "b"]]) == ["a", "b", "b"])
  }

  @Test func `the parts of a text that does not fit are still those of a later one`() {
    let long = String(repeating: "x", count: TextRules.maximumTextByteCount)
    let texts = ["a", ["b", long].joined(separator: NoteJoining.separator), "b"]

    let joined = NoteJoining.joined(texts)

    #expect(joined.leftOut == [texts[1]])
    #expect(joined.note == ["a", "b"].joined(separator: NoteJoining.separator))
  }
}
