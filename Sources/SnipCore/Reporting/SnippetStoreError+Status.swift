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
    code == .cancelled ? InterruptedError().message : "could not \(operation): \(newReason)"
  }

  /// The reason, without the file where the operation has named it already.
  private var newReason: Substring {
    guard let end = reason.firstRange(of: ": "),
      operation.hasSuffix(" \(reason[..<end.lowerBound])")
    else { return reason[...] }
    return reason[end.upperBound...]
  }

  package var hint: String? {
    // The command says how to bring it back.
    let lines = [code == .inTrash ? nil : recoverySuggestion, command].compactMap(\.self)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// The command or option that does what the advice says, where one does.
  private var command: String? {
    switch code {
    case .inTrash: "`snip undelete` brings it back."
    // Without a cause it is a recording that has not ended, or a backup that is not sound.
    case .busy where underlyingError != nil: "--busy-timeout allows a longer wait."
    case .damaged where underlyingError != nil:
      """
      `snip check` tells what is damaged, and `snip check --repair` mends what it can. \
      `snip salvage FILE` copies a store that they cannot open into a new one.
      """
    // SQLite does not know its beginning, which may be all that is wrong with it.
    case .foreignFile where underlyingError != nil:
      "If it was a store, `snip salvage FILE` copies what can be read into a new one."
    default: nil
    }
  }
}
