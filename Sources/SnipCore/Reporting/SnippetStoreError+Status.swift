package import SnippetStorage

extension SnippetStoreError: StatusError {
  package var status: ExitStatus {
    switch code {
    case .notFound, .inTrash: .noSuchSnippet
    case .busy: .busy
    case .cancelled: .interrupted
    case .alreadyExists, .cannotCreate, .readOnly: .cannotCreate
    case .diskFull, .inputOutput: .diskFailure
    case .noSuchFile, .unreadable, .foreignFile, .alteredSchema, .newerStore, .damaged, .closed:
      .noStore
    case .conflict, .invalidInput, .unsupportedContent, .contentChanged, .refusedBySchema:
      .badInput
    default: .failure
    }
  }

  package var message: String {
    code == .cancelled ? InterruptedError().message : "could not \(operation): \(reason)"
  }

  package var hint: String? { recoverySuggestion }
}
