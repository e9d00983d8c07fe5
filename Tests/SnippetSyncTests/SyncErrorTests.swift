import Foundation
import SnippetStorage
import SnippetSync
import Testing

struct SyncErrorTests {
  @Test func `an error says what failed, why, and what to do`() {
    let error = SyncError(
      .unreachable,
      "list device/",
      because: "the folder is not mounted",
      do: "Mount it."
    )

    #expect("\(error)" == "Could not list device/: the folder is not mounted. Mount it.")
    #expect(error.localizedDescription == "Could not list device/: the folder is not mounted.")
    #expect(error.isRetryable)
  }

  @Test func `whether a retry helps against the store is the store's to say`() {
    func error(_ code: SnippetStoreError.Code) -> SyncError {
      SyncError(
        .store,
        "synchronize",
        because: "the store failed",
        underlying: SnippetStoreError(code, "save a snippet", because: "a test says so")
      )
    }

    #expect(error(.busy).isRetryable)
    #expect(!error(.damaged).isRetryable)
  }
}
