/// An observation of a store's changes, from ``SnippetStore/observeChanges(_:)`` to ``cancel()``.
///
/// It also ends with its last reference and with the store. It does not keep the store open.
public final class ChangeObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Makes the observation of your own list, such as a test has.
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
  /// After this no call of the handler begins. One that has begun may still be running; this does
  /// not wait for it, so it can be called anywhere, even in the handler. Cancelling again does
  /// nothing.
  ///
  /// - Complexity: O(*m*) in the number of observations of the store.
  public func cancel() {
    end()
  }
}
