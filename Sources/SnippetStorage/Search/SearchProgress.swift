/// How far a search has come, and who waits for its end.
///
/// It can end in three ways, and a search that failed can begin again. Nobody waits for anything
/// but an end, so nobody waits for ever, or in vain.
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

  /// Whether everything was searched, and what was changed since was looked at.
  var isComplete: Bool {
    if case .complete = value { true } else { false }
  }

  /// Why it was not.
  var failure: SnippetStoreError? {
    if case .failed(let error) = value { error } else { nil }
  }

  /// Begins once more after a failure.
  mutating func beginAgain() {
    if case .failed = value { value = .searching }
  }

  mutating func complete() {
    value = .complete
  }

  mutating func fail(_ error: SnippetStoreError) {
    value = .failed(error)
  }

  /// What ends when the search does, or the task that waits; `nil` when the search has ended.
  mutating func end() -> AsyncStream<Void>? {
    guard case .searching = value else { return nil }
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    waiting.append(continuation)
    return stream
  }

  /// Those who wait for an end that has come, to be told of it outside of any lock.
  mutating func takeWaiting() -> [AsyncStream<Void>.Continuation] {
    if case .searching = value { return [] }
    defer { waiting = [] }
    return waiting
  }
}
