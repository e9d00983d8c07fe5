extension SnippetLoader {
  /// Gives memory back as it becomes short, and uses it again when there is enough.
  ///
  /// A warning limits loading ahead to ``RangeMode/minimum`` and halves the cache. When memory is
  /// critical, nothing is loaded ahead and only what is visible stays. What is on screen stays in
  /// the cells and in the cache, so nothing flickers. On Apple platforms the system's warnings call
  /// this.
  ///
  /// - Parameter pressure: How short memory is now.
  public func memoryPressureDidChange(_ pressure: MemoryPressure) {
    guard !isClosed else { return }
    self.pressure = pressure
    // First the ranges, because what is in them is pinned.
    followViewport()
    switch pressure {
    case .normal:
      break
    case .warning:
      pipeline.trimCache(to: pipeline.configuration.cacheByteLimit / 2)
    case .critical:
      pool.removeAll()
      pipeline.trimCacheToPinned()
    }
  }

  /// The range mode, or the one that the pressure of memory allows if that is narrower.
  var effectiveRangeMode: RangeMode {
    let allowed: RangeMode =
      switch pressure {
      case .normal: .full
      case .warning: .minimum
      case .critical: .lowMemory
      }
    return max(rangeMode, allowed, by: \.narrowness)
  }

  /// Follows the ranges of another mode.
  func rangeModeDidChange() {
    followViewport()
    if rangeMode == .lowMemory { pipeline.trimCacheToPinned() }
  }

  private func max(_ one: RangeMode, _ other: RangeMode, by value: (RangeMode) -> Int) -> RangeMode
  {
    value(one) < value(other) ? other : one
  }
}

extension RangeMode {
  /// The place of the mode from the widest to the narrowest.
  fileprivate var narrowness: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
