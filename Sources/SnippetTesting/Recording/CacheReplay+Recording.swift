internal import SnippetLoading

extension CacheReplay {
  /// Takes the look-ups of a recording: every blob that a cell asked for and that was in memory or
  /// was loaded.
  ///
  /// It is on screen for as long as a cell is bound to it.
  ///
  /// Blobs whose size the recording does not know, because no load of them finished, are left out.
  ///
  /// - Parameter recording: The recording of a loader.
  /// - Complexity: O(*n*).
  public init(_ recording: LoaderRecording) {
    var byteCounts: [LoadKey: Int] = [:]
    var looks: [(key: LoadKey, leaving: [LoadKey])] = []
    var cells = CellsInRecording()
    for event in recording.events {
      switch event.action {
      case .hit(let slot, let key, let byteCount):
        byteCounts[key] = byteCount
        cells.ask(key, in: slot)
        looks.append((key, cells.takeLeaving()))
      case .pending(let slot, let key):
        cells.ask(key, in: slot)
        looks.append((key, cells.takeLeaving()))
      case .bound(let slot?, _, _, _):
        cells.endBind(of: slot)
      case .unbound(let slot):
        cells.unbind(slot)
      case .loadFinished(let key, let byteCount):
        byteCounts[key] = byteCount
      default:
        continue
      }
    }
    var accesses: [Access] = []
    var leaving: [LoadKey] = []
    for look in looks {
      leaving += look.leaving
      guard let byteCount = byteCounts[look.key] else { continue }
      accesses.append(
        Access(
          key: look.key,
          // A recording may come from anywhere; no sum of such sizes overflows.
          byteCount: min(byteCount, Self.largestByteCount),
          isShown: true,
          leaving: leaving
        )
      )
      leaving = []
    }
    self.init(accesses)
  }

  /// 64 GiB.
  private static let largestByteCount = 1 << 36
}

/// The bindings of the cells in a recording.
private struct CellsInRecording {
  private var keysBySlot: [Int: [LoadKey]] = [:]
  /// The cells being bound: their further requests belong to the first one.
  private var binding: Set<Int> = []
  private var cellCounts: [LoadKey: Int] = [:]
  private var leaving: [LoadKey] = []

  mutating func ask(_ key: LoadKey, in slot: Int) {
    // A cell may ask again for a cancelled load.
    guard keysBySlot[slot]?.contains(key) != true else { return }
    if binding.insert(slot).inserted { leave(slot) }
    keysBySlot[slot, default: []].append(key)
    cellCounts[key, default: 0] += 1
    leaving.removeAll { $0 == key }
  }

  mutating func endBind(of slot: Int) { binding.remove(slot) }

  mutating func unbind(_ slot: Int) {
    binding.remove(slot)
    leave(slot)
  }

  mutating func takeLeaving() -> [LoadKey] {
    defer { leaving = [] }
    return leaving
  }

  private mutating func leave(_ slot: Int) {
    for key in keysBySlot.removeValue(forKey: slot) ?? [] {
      cellCounts[key, default: 0] -= 1
      if cellCounts[key] == 0 { leaving.append(key) }
    }
  }
}
