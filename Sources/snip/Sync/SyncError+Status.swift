import SnipCore
import SnippetBase
import SnippetStorage
import SnippetSync

extension SyncError: StatusError {
  var status: ExitStatus {
    switch code {
    case .unreachable: .busy
    case .noRepository, .newerRepository, .wrongKey, .damaged: .noStore
    case .invalidInput where subject == .key: .badInput
    case .invalidInput: .usage
    case .cancelled: .interrupted
    case .accessDenied where subject == .object: .cannotCreate
    case .failed where subject == .folder: .cannotCreate
    // A disk that is full, or fails.
    case .failed where underlyingError is FileError: .diskFailure
    case .store: (underlyingError as? SnippetStoreError)?.status ?? .failure
    default: .failure
    }
  }

  var message: String {
    code == .cancelled ? InterruptedError().message : "could not \(operation): \(reason)"
  }

  var hint: String? { recoverySuggestion }
}
