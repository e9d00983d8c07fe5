/// The progress of a search, and the tasks that wait for its end.
///
/// A search can end in three ways, and one that failed can begin again. Tasks only ever wait for an
/// end, so they never wait forever.
struct SearchProgress {
  private enum Value {
    case searching
    case complete
    case failed(SnippetStoreError)
  }

  private var value = Value.searching
  private var waiting: [AsyncStream<Void>.Continuation] = []

  init(isComplete: Bool) {
    if isComplete { value = .complete }
  }

  /// Whether everything has been searched, including later changes.
  var isComplete: Bool {
    if case .complete = value { true } else { false }
  }

  /// The reason why it failed, if it did.
  var failure: SnippetStoreError? {
    if case .failed(let error) = value { error } else { nil }
  }

  /// Begins again after a failure.
  mutating func beginAgain() {
    if case .failed = value { value = .searching }
  }

  mutating func complete() {
    value = .complete
  }

  mutating func fail(_ error: SnippetStoreError) {
    value = .failed(error)
  }

  /// Returns a stream that ends with the search or when the waiting task is cancelled; `nil` if the
  /// search has ended.
  mutating func end() -> AsyncStream<Void>? {
    guard case .searching = value else { return nil }
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    waiting.append(continuation)
    return stream
  }

  /// Returns the tasks waiting for an end that has come.
  ///
  /// Resume them outside of any lock.
  mutating func takeWaiting() -> [AsyncStream<Void>.Continuation] {
    if case .searching = value { return [] }
    defer { waiting = [] }
    return waiting
  }
}
