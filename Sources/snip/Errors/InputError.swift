import SnipCore
import SnippetStorage

/// The given file or stream cannot be used.
struct InputError: StatusError {
  let message: String
  let hint: String?

  var status: ExitStatus { .badInput }

  /// Takes an error of the store about the input, not about the store.
  ///
  /// - Parameter error: The error; `nil` for one about the store itself.
  init?(_ error: SnippetStoreError) {
    switch error.code {
    case .noSuchFile, .unreadable, .unsupportedContent, .contentChanged: break
    default: return nil
    }
    message = error.message
    hint = error.hint
  }
}
