/// An observation of a store's changes, from ``SnippetStore/observeChanges(_:)`` to ``cancel()``.
///
/// It ends with its last reference too, and with the store. It does not keep the store open.
public final class ChangeObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Makes the observation of a list of one's own, such as a test has.
  ///
  /// - Parameter end: Ends the observation. Called by ``cancel()`` and with the last reference, so
  ///   more than once.
  public init(end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit {
    end()
  }

  /// Ends the observation.
  ///
  /// On return no call of the handler begins any more. One that has begun on the store's thread may
  /// still be under way; it is not waited for, so that this can be called anywhere, in the handler
  /// too. The handler is released. Cancelling again does nothing.
  ///
  /// - Complexity: O(*m*) in the number of observations of the store.
  public func cancel() {
    end()
  }
}
