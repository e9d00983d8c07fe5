import SnipCore
import SnippetStorage

/// What was given to read, a file or a stream, cannot be used.
struct InputError: StatusError {
  let message: String
  let hint: String?

  var status: ExitStatus { .badInput }

  /// Takes an error of the store that is about what was given, not about the store.
  ///
  /// - Parameter error: The error; one about the store itself gives `nil`.
  init?(_ error: SnippetStoreError) {
    switch error.code {
    case .noSuchFile, .unreadable, .unsupportedContent, .contentChanged: break
    default: return nil
    }
    message = error.message
    hint = error.hint
  }
}
