import SnippetStore

extension SnippetStoreError: StatusError {
  var status: ExitStatus {
    switch code {
    case .notFound: .noSuchSnippet
    case .busy: .busy
    case .cancelled: .interrupted
    case .alreadyExists, .cannotCreate, .readOnly: .cannotCreate
    case .diskFull, .inputOutput: .diskFailure
    case .noSuchFile, .unreadable, .foreignFile, .newerStore, .damaged, .closed: .noStore
    case .invalidInput, .unsupportedContent, .contentChanged, .invalidSQL, .refusedBySchema:
      .badInput
    default: .failure
    }
  }

  var message: String {
    code == .cancelled ? InterruptedError().message : "could not \(operation): \(reason)"
  }

  var hint: String? { recoverySuggestion.isEmpty ? nil : recoverySuggestion }
}

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

/// One or more of the snippets named are not there.
struct MissingSnippetsError: StatusError {
  let ids: [SnippetID]

  var status: ExitStatus { .noSuchSnippet }

  var message: String {
    let numbers = ids.map(\.description).joined(separator: ", ")
    return ids.count == 1 ? "there is no snippet \(numbers)" : "there are no snippets \(numbers)"
  }

  var hint: String? { "`snip list` shows what there is." }
}
