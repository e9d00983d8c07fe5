import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Each code of an error with a whole text: could not what, because what, do what.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ErrorTextTests {
  @Test(arguments: ErrorText.all)
  func `an error says what failed, why, and what to do`(
    expected: ErrorText
  ) async throws {
    let store = try SnippetStore(at: TemporaryDirectory.file("store.sqlite"))

    let error = await #expect(throws: SnippetStoreError.self) { try await expected.provoke(store) }

    #expect(error?.code == expected.code)
    let folder = TemporaryDirectory.current.url.path
    let text = error?.description.replacingOccurrences(of: folder, with: "FOLDER")
    #expect(text == expected.text)
    #expect(error?.isRetryable == [.busy, .contentChanged].contains(expected.code))
    try? await store.close()
  }

  @Test func `every code has its text here`() {
    let codes: [SnippetStoreError.Code] = [
      .alreadyExists, .busy, .cancelled, .cannotCreate, .closed, .conflict, .contentChanged,
      .damaged, .diskFull, .failed, .foreignFile, .inputOutput, .invalidInput,
      .newerStore, .notFound, .noSuchFile, .readOnly, .refusedBySchema, .unreadable,
      .unsupportedContent,
    ]

    #expect(Set(ErrorText.all.map(\.code)) == Set(codes))
    #expect(Set(codes.map(\.description)).count == codes.count)
    #expect("\(SnippetStoreError.Code.noSuchFile)" == "noSuchFile")
  }

  @Test func `an alert shows the text in two parts`() {
    let error = SnippetStoreError(.busy, "save", because: "it is in use", do: "Try again.")
    let bare = SnippetStoreError(.failed, "save", because: "of rain")

    #expect((error as any Error).localizedDescription == "Could not save: it is in use.")
    #expect((error as any LocalizedError).failureReason == "it is in use")
    #expect((error as any LocalizedError).recoverySuggestion == "Try again.")
    #expect("\(error)" == "Could not save: it is in use. Try again.")
    #expect((bare as any Error).localizedDescription == "Could not save: of rain.")
    #expect((bare as any LocalizedError).recoverySuggestion == nil)
    #expect("\(bare)" == "Could not save: of rain.")
  }
}
