/// An observation of a store's changes, from ``SnippetStore/observeChanges(_:)`` to ``cancel()``.
///
/// It also ends when it is released or the store is closed. It does not keep the store open.
public final class ChangeObservation: Sendable {
  private let end: @Sendable () -> Void

  /// Makes an observation of your own list, for example in a test.
  ///
  /// - Parameter end: Ends the observation. Called by ``cancel()`` and on release, so possibly more
  ///   than once.
  public init(end: @escaping @Sendable () -> Void) {
    self.end = end
  }

  deinit {
    end()
  }

  /// Ends the observation.
  ///
  /// After this no call of the handler begins. A call that has begun may still be running; this
  /// does not wait for it, so you can call it anywhere, even in the handler. Cancelling again does
  /// nothing.
  ///
  /// - Complexity: O(*m*) in the number of observations of the store.
  public func cancel() {
    end()
  }
}
