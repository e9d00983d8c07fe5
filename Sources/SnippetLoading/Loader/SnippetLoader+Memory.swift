extension SnippetLoader {
  /// Frees memory as it becomes short, and uses it again when there is enough.
  ///
  /// A warning limits loading ahead to ``RangeTuning/minimum`` and halves the cache. When memory is
  /// critical, nothing is loaded ahead and only what is visible stays. What is on screen stays in
  /// the cells and in the cache, so nothing flickers. On Apple platforms the loader
  /// responds to the system's warnings by itself.
  ///
  /// - Parameter pressure: The current state of memory.
  public func respond(to pressure: MemoryPressure) {
    guard !isClosed else { return }
    screen.pressure = pressure
    // The ranges first, because blobs in them are pinned.
    followViewport()
    switch pressure {
    case .normal:
      break
    case .warning:
      pipeline.trimCache(to: pipeline.configuration.cacheByteLimit / 2)
    case .critical:
      pipeline.trimCacheToPinned()
    }
  }
}
