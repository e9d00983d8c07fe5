import SnipCore
import SnippetStorage

/// One of several files could not be added.
struct UnaddedFileError: StatusError {
  let message: String
  let hint: String?

  var status: ExitStatus { .badInput }

  /// Takes an error about the file; `nil` for one about the store.
  init?(_ name: String, _ error: SnippetStoreError) {
    guard InputError(error) != nil else { return nil }
    message = "could not add \(name): \(error.reason)"
    hint = error.hint
  }
}

/// Some of several files could not be added.
struct UnaddedFilesError: StatusError {
  let count: Int
  let totalCount: Int

  var status: ExitStatus { .badInput }
  var message: String { "\(count) of \(totalCount) could not be added; the others are" }
  var hint: String? { nil }
}
