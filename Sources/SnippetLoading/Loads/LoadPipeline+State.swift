import SnippetBase

extension LoadPipeline {
  /// The state of loads and blobs, and its changes on each event.
  ///
  /// It calls no code of the app: it changes under the lock of its pipeline.
  struct State {
    var table: LoadTable
    var failures: FailureMemory
    var counters = LoaderCounters()
    var random: SplitMix64
    var serviceTime = ServiceTime()
    /// The mailboxes that take the deliveries of each list.
    var mailboxes = Mailboxes()
    /// The loads that run in tasks of their own.
    var tasks: [LoadID: Task<Void, Never>] = [:]

    private var demand = Demand()

    init(_ configuration: Configuration, _ sources: BlobSources, randomSeed: UInt64) {
      table = LoadTable(configuration, RecipeGraph(sources))
      failures = FailureMemory(duration: configuration.retries.memory)
      random = SplitMix64(seed: randomSeed)
    }

    // MARK: - Lists

    mutating func join(_ rules: RecipeRules, _ mailbox: MainMailbox) -> (ListID, RecipeGraph) {
      let list = mailboxes.add(mailbox)
      table.graph.add(rules.processors)
      return (list, table.graph)
    }

    /// Takes the loads that the viewport of a list asks for, most urgent first, replacing its
    /// former ones.
    ///
    /// Blobs of these loads that are in memory are pinned, so that new ones push out only those
    /// left behind. Loads that are known to fail are not asked for.
    mutating func reconcile(
      _ loads: [DesiredLoad],
      of list: ListID,
      at now: ContinuousClock.Instant
    ) -> [LoadStart] {
      guard mailboxes[list] != nil else { return [] }
      demand.declare(loads, for: list)
      let admitted = demand.admitted(byteLimit: table.cache.limit)
      table.cache.pin(admitted.map(\.key))
      let missing = admitted.filter {
        !table.cache.contains($0.key) && knownError(of: $0.key, at: now) == nil
      }
      return table.reconcile(missing)
    }

    /// Withdraws all requests of a list.
    mutating func withdraw(_ list: ListID) -> [LoadStart] {
      demand.remove(list)
      let others = demand.admitted(byteLimit: table.cache.limit)
      table.cache.pin(others.map(\.key))
      return table.withdraw(list, keeping: others)
    }

    mutating func forgetEverything() {
      table.cache.removeAll()
      failures.removeAll()
    }

    /// An answer without a load: the blob is in memory, or the list is closed.
    mutating func answerAtOnce(_ key: LoadKey, for token: BindingToken) -> Answer? {
      guard mailboxes[token.list] != nil else {
        return .failed(LoadError(.cancelled, reason: "the loader is closed"))
      }
      guard let blob = table.cache.blob(for: key) else { return nil }
      counters.hits += 1
      return .hit(blob)
    }

    // MARK: - Results

    mutating func count(_ result: Result<LoadedBlob, LoadError>, _ conclusion: LoadConclusion) {
      switch result {
      case _ where conclusion.isExpired:
        break
      case _ where !conclusion.isWanted:
        counters.loadsCancelled += 1
      case .failure:
        counters.loadsFailed += 1
        if conclusion.retry != nil { counters.loadsDelayed += 1 }
      case .success(let blob):
        counters.loadsFinished += 1
        counters.bytesLoaded += blob.bytes.count
      }
    }

    /// The progress of a load that a cell waits for.
    func progress(of key: LoadKey) -> LoadProgress<LoadedBlob> {
      var progress = table.progress(of: key)
      guard progress.standIn == nil else { return progress }
      for recipe in table.graph.standIns(for: key.recipe) {
        progress.standIn = table.cache.peek(key.by(recipe))
        if progress.standIn != nil { break }
      }
      return progress
    }

    // MARK: - Failures

    /// The known error of a load, or of a load that it is made from.
    func knownError(of key: LoadKey, at now: ContinuousClock.Instant) -> LoadError? {
      var key = key
      while true {
        if let error = failures.error(of: key, at: now) { return error }
        guard let input = table.graph.input(of: key), !table.cache.contains(input) else {
          return nil
        }
        key = input
      }
    }

    mutating func remember(_ deliveries: [LoadDelivery], at now: ContinuousClock.Instant) {
      for delivery in deliveries {
        guard case .failed(let error) = delivery.result else { continue }
        failures.remember(error, of: delivery.key, at: now)
      }
    }

    mutating func forgetFailures() -> [LoadStart] {
      failures.removeAll()
      return Array(table.entries.keys).flatMap { table.forgetDelay(of: $0) }
    }
  }
}

/// The mailboxes of the open lists, by their numbers.
struct Mailboxes {
  // An array, because every bind looks here.
  private var all: [MainMailbox?] = []
  private var openCount = 0

  var isEmpty: Bool { openCount == 0 }

  subscript(list: ListID) -> MainMailbox? {
    let index = Int(list.rawValue)
    return all.indices.contains(index) ? all[index] : nil
  }

  /// Adds a list under a number that no other list had.
  mutating func add(_ mailbox: MainMailbox) -> ListID {
    openCount += 1
    all.append(mailbox)
    return ListID(rawValue: UInt32(all.count - 1))
  }

  mutating func remove(_ list: ListID) {
    guard self[list] != nil else { return }
    openCount -= 1
    all[Int(list.rawValue)] = nil
  }
}

/// The speed at which a list gets the loads of its rows.
struct LoadPace: Hashable, Sendable {
  /// The time that a load takes.
  let serviceTime: Duration
  /// The number of rows whose loads finish in a second while all places are taken.
  let rowsPerSecond: Double

  init(serviceTime: Duration, loadCount: Int, loadsPerRow: Double) {
    self.serviceTime = serviceTime
    let loadsPerSecond = Double(loadCount) / (serviceTime / .seconds(1))
    rowsPerSecond = loadsPerSecond / max(loadsPerRow, 0.01)
  }
}

/// The average time of a load, with later loads counting more.
///
/// The first loads weigh the same, so a few are enough to know a source by. From then on each new
/// load has a fixed weight, so the mean follows when the source becomes slower or faster.
struct ServiceTime: Hashable, Sendable {
  /// The approximate number of loads that the mean goes back to.
  static let memory = 32
  /// The longest time that counts.
  static let longest = Duration.seconds(60)

  private var count = 0
  private var seconds = 0.0

  /// The mean; `nil` before the first load.
  var mean: Duration? {
    count == 0 ? nil : .seconds(seconds)
  }

  /// Adds the time of a load; a negative time counts as 0.
  mutating func add(_ duration: Duration) {
    count = min(count + 1, Self.memory)
    let bounded = min(max(.zero, duration), Self.longest)
    seconds += (bounded / .seconds(1) - seconds) / Double(count)
  }
}
