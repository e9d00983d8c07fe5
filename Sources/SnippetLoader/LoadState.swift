/// How far the load for a cell is.
public enum LoadState: Hashable, Sendable {
  /// There is nothing to load: the snippet is all in its row.
  case idle
  /// The bytes are on their way.
  case loading
  /// The blob is here.
  case loaded(LoadedBlob)
  /// The bytes could not be had. Another bind asks again if ``LoadError/isRetryable``.
  case failed(LoadError)
}

/// What a bind came to.
public enum BindOutcome: Hashable, Sendable {
  /// The blob was in memory, and the cell has it already.
  case hit
  /// The cell shows the row; the blob comes later.
  case pending
  /// The cell was bound to this snippet already and nothing had to be loaded or reset. A newer
  /// revision of the row has been shown.
  case unchanged
  /// The cell shows the row; the snippet has no blob, so this is all.
  case noBlob
  /// The cell shows this error.
  case failed(LoadError)
}
