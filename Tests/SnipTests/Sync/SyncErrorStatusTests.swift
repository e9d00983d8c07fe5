import SnipCore
import SnippetSync
import Testing

@testable import snip

struct SyncErrorStatusTests {
  @Test func `the status of an error follows from what failed, in whatever words`() {
    func status(_ code: SyncError.Code, _ subject: SyncError.Subject?) -> SnipCore.ExitStatus {
      SyncError(code, "do this", because: "a test says so").about(subject).status
    }

    #expect(status(.invalidInput, .key) == .badInput)
    #expect(status(.invalidInput, nil) == .usage)
    #expect(status(.accessDenied, .object) == .cannotCreate)
    #expect(status(.accessDenied, nil) == .failure)
    #expect(status(.failed, .folder) == .cannotCreate)
    #expect(status(.failed, nil) == .failure)
  }
}
