import Foundation
import Testing

@testable import SnippetLoading
@testable import SnippetStorage

struct LoadErrorTests {
  struct Case: CustomTestStringConvertible {
    let error: LoadError
    let isRetryable: Bool
    let text: String
    var testDescription: String { error.code.description }
  }

  @Test(arguments: [
    Case(
      error: LoadError(.cancelled),
      isRetryable: true,
      text: "Could not load the blob: the load was cancelled. Bind the cell again to ask again."
    ),
    Case(
      error: LoadError(.notFound),
      isRetryable: false,
      text: """
        Could not load the blob: there is no such blob. The snippet was deleted or its content \
        replaced; reload the list.
        """
    ),
    Case(
      error: LoadError(.unreadable, reason: "disk I/O error"),
      isRetryable: true,
      text: """
        Could not load the blob: disk I/O error. Bind the cell again to try again; if it stays, \
        check the store.
        """
    ),
    Case(
      error: LoadError(.tooLarge),
      isRetryable: false,
      text: """
        Could not load the blob: it is too large to be held in memory. Read it from the store in \
        pieces, or raise the loader's maximum.
        """
    ),
    Case(
      error: LoadError(.rowUnavailable),
      isRetryable: true,
      text: """
        Could not read the list: there is no row at this position. Tell the loader that the rows \
        changed, then bind the cell again.
        """
    ),
  ])
  func `each error says what, why and what to do`(_ example: Case) {
    #expect(example.error.description == example.text)
    let advice = example.error.recoverySuggestion.map { " \($0)" } ?? ""
    #expect(example.error.localizedDescription + advice == example.text)
    #expect(example.text.contains(": \(example.error.cause). "))
    #expect(example.error.isRetryable == example.isRetryable)
  }

  @Test func `what a source throws keeps its words`() {
    struct Broken: Error, CustomStringConvertible { let description = "block 7 is bad" }

    #expect(LoadError(readingBlob: LoadError(.notFound)) == LoadError(.notFound))
    #expect(LoadError(readingBlob: CancellationError()).code == .cancelled)
    #expect(LoadError(readingBlob: Broken()) == LoadError(.unreadable, reason: "block 7 is bad"))
  }

  @Test func `an error of the store is not a sentence within a sentence`() {
    let error = SnippetStoreError(
      .closed,
      "count the list",
      because: "the store is closed",
      do: "Open it again."
    )

    let shown = LoadError(readingRows: error)

    #expect(shown.description == "Could not read the list: the store is closed. Open it again.")
  }
}
