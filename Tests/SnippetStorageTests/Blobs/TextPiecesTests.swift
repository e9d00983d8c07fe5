import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Texts that are read piece by piece.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TextPiecesTests {
  @Test(arguments: ReencodedText.all)
  func `a text in any encoding comes in pieces as it would come whole`(
    text: ReencodedText
  ) async throws {
    let store = try TemporaryStore.open()
    let bytes = Data((0..<2_500).flatMap { _ in text.bytes })
    let row = try await store.save(SnippetDraft(.bytes(bytes)))

    var pieces: [String] = []
    try store.forEachTextPiece(of: row.id) { pieces.append($0) }

    let whole = try await store.text(of: row.id)
    #expect(pieces.joined().unicodeScalars.elementsEqual(whole.unicodeScalars))
    #expect(pieces.allSatisfy { (1...3 << 16).contains($0.utf8.count) })
    #expect(pieces.count > bytes.count >> 17)
  }

  @Test(arguments: Samples.texts)
  func `a short text is one piece`(text: String) async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text(text)))

    var pieces: [String] = []
    try store.forEachTextPiece(of: row.id) { pieces.append($0) }

    #expect(pieces == [text])
  }

  @Test func `what is thrown on the way ends the reading`() async throws {
    struct Enough: Error {}
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text(Samples.longText("é"))))
    var count = 0

    #expect(throws: Enough.self) {
      try store.forEachTextPiece(of: row.id) { _ in
        count += 1
        throw Enough()
      }
    }

    #expect(count == 1)
  }

  @Test func `what is no text, or not there, is reported`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(Samples.image(Samples.bytes(10)))

    let missing = SnippetID(rawValue: 99)
    #expect(errorCode { try store.forEachTextPiece(of: row.id) { _ in } } == .invalidInput)
    #expect(errorCode { try store.forEachTextPiece(of: missing) { _ in } } == .notFound)
  }
}
