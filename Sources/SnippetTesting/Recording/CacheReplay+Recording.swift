internal import SnippetLoading

extension CacheReplay {
  /// Takes the look-ups of a recording: every blob that a cell asked for, and that was there or
  /// came.
  ///
  /// Blobs whose size the recording does not know, because no load of them finished, are left out.
  ///
  /// - Parameter recording: What a loader did.
  /// - Complexity: O(*n*).
  public init(_ recording: LoaderRecording) {
    var byteCounts: [LoadKey: Int] = [:]
    var keys: [LoadKey] = []
    for event in recording.events {
      switch event.action {
      case .hit(_, let key, let byteCount):
        byteCounts[key] = byteCount
        keys.append(key)
      case .pending(_, let key):
        keys.append(key)
      case .loadFinished(let key, let byteCount):
        byteCounts[key] = byteCount
      default:
        continue
      }
    }
    self.init(
      keys.compactMap { key in
        // A recording may come from anybody; no sum of such sizes is too large to be counted.
        byteCounts[key].map { Access(key: key, byteCount: min($0, Self.largestByteCount)) }
      }
    )
  }

  /// 64 GiB.
  private static let largestByteCount = 1 << 36
}
