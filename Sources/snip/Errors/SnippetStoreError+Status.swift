import SnippetStorage

extension SnippetStoreError: StatusError {
  var status: ExitStatus {
    switch code {
    case .notFound, .inTrash: .noSuchSnippet
    case .busy: .busy
    case .cancelled: .interrupted
    case .alreadyExists, .cannotCreate, .readOnly: .cannotCreate
    case .diskFull, .inputOutput: .diskFailure
    case .noSuchFile, .unreadable, .foreignFile, .alteredSchema, .newerStore, .damaged, .closed:
      .noStore
    case .conflict, .invalidInput, .unsupportedContent, .contentChanged,
      .refusedBySchema:
      .badInput
    default: .failure
    }
  }

  var message: String {
    code == .cancelled ? InterruptedError().message : "could not \(operation): \(reason)"
  }

  var hint: String? { recoverySuggestion }
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
  /// Where they are not.
  enum Place {
    case store, trash, outsideTrash
  }

  /// More numbers are not told one by one.
  static let toldCount = 20

  let ids: [SnippetID]
  var place = Place.store

  var status: ExitStatus { .noSuchSnippet }

  var message: String {
    let rest = ids.count - Self.toldCount
    let numbers =
      ids.prefix(Self.toldCount).map(\.description).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
    let sentence =
      ids.count == 1 ? "there is no snippet \(numbers)" : "there are no snippets \(numbers)"
    switch place {
    case .store: return sentence
    case .trash: return "\(sentence) in the trash"
    case .outsideTrash: return "\(sentence) outside the trash"
    }
  }

  var hint: String? {
    switch place {
    case .store: "`snip list` shows what there is."
    case .trash: "`snip list --trash` shows what is there."
    case .outsideTrash: "`snip rm --permanently` deletes what is in the trash for good."
    }
  }
}
