import SnipCore
import SnippetStorage
import SnippetSync

extension SyncError: @retroactive StatusError {
  package var status: ExitStatus {
    switch code {
    case .unreachable: .busy
    case .noRepository, .newerRepository, .wrongKey, .damaged: .noStore
    case .invalidInput: .usage
    case .cancelled: .interrupted
    case .store: (underlyingError as? SnippetStoreError)?.status ?? .failure
    default: .failure
    }
  }

  package var message: String {
    code == .cancelled ? InterruptedError().message : "could not \(operation): \(reason)"
  }

  package var hint: String? { recoverySuggestion }
}
