/// The progress of a search, which can begin again after a failure.
enum SearchProgress {
  case searching
  /// Everything has been searched, including later changes.
  case complete
  case failed(SnippetStoreError)

  var isSearching: Bool {
    if case .searching = self { true } else { false }
  }

  var isComplete: Bool {
    if case .complete = self { true } else { false }
  }

  /// The reason why it failed, if it did.
  var failure: SnippetStoreError? {
    if case .failed(let error) = self { error } else { nil }
  }
}
