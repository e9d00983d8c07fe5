@testable import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// Random events against the rules, checked after each of them.
struct LoadTableModelTests {
  @Test(arguments: Array(1...20) as [UInt64])
  func `every ask is answered once and no load overtakes a more urgent one`(seed: UInt64) {
    var model = Model(seed: seed)
    for _ in 0..<2_000 {
      model.step()
      guard model.violations.isEmpty else { break }
    }
    model.finishAll()
    #expect(model.violations == [], "seed \(seed)")
    #expect(model.unanswered.isEmpty, "seed \(seed)")
  }
}

private struct Model {
  var random: SeededGenerator
  var table: LoadTable
  /// The bindings that ask and have not been told since.
  var unanswered: [BindingToken: LoadKey] = [:]
  /// Those that got a failure, and may get another.
  var failed: [BindingToken: LoadKey] = [:]
  var running: [LoadStart] = []
  var told: Set<LoadID> = []
  var lastGeneration: UInt32 = 0
  var violations: [String] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let workers = 1 + random.below(4)
    let reserved = random.below(workers)
    var configuration = LoadPipeline.Configuration()
    configuration.workerCount = workers
    configuration.reservedVisibleWorkers = reserved
    // One of four or five is for visible loads only.
    configuration.asyncLoadCount = 1 + random.below(5)
    configuration.retries = .none
    let network = random.chance(0.7) ? Network() : nil
    table = LoadTable(
      configuration,
      RecipeGraph(BlobSources(blocking: nil, asynchronous: network))
    )
  }

  mutating func step() {
    switch random.below(100) {
    case 0..<30: ask()
    case 30..<50: leave()
    case 50..<60: setPriority()
    case 60..<70: reconcile()
    case 70..<80: observe()
    case 80..<81:
      withdraw()
    default: finish(.random(using: &random))
    }
    check()
  }

  private mutating func withdraw() {
    let list = randomList()
    unanswered = unanswered.filter { $0.key.list != list }
    failed = failed.filter { $0.key.list != list }
    start(table.withdraw(list, keeping: random.chance(0.5) ? [] : randomDesire()))
  }

  mutating func finishAll() {
    while !running.isEmpty { finish(.kept) }
    check()
  }

  private mutating func ask() {
    lastGeneration += 1
    let token = BindingToken(
      list: randomList(),
      slot: UInt32(random.below(8)),
      generation: lastGeneration
    )
    let key = randomKey()
    unanswered[token] = key
    start(table.ask(key, for: token, priority: randomPriority()))
  }

  private mutating func leave() {
    let asks = (Array(unanswered) + Array(failed)).sorted { $0.key.generation < $1.key.generation }
    guard !asks.isEmpty else { return }
    let (token, key) = random.element(of: asks)
    unanswered[token] = nil
    failed[token] = nil
    start(table.leave(key, by: token))
  }

  private mutating func setPriority() {
    let asks = unanswered.sorted { $0.key.generation < $1.key.generation }
    guard !asks.isEmpty else { return }
    let (token, key) = random.element(of: asks)
    start(table.setPriority(randomPriority(), of: key, for: token))
  }

  private mutating func reconcile() {
    start(table.reconcile(randomDesire()))
  }

  private mutating func randomDesire() -> [DesiredLoad] {
    (0..<random.below(8)).map { _ in DesiredLoad(key: randomKey(), priority: randomPriority()) }
  }

  private mutating func randomList() -> ListID { ListID(rawValue: UInt32(random.below(3))) }

  private mutating func observe() {
    guard !running.isEmpty else { return }
    let load = random.element(of: running)
    let isAskedFor = table.entries[load.key]?.isAskedFor == true
    let isTold = table.observeCancellation(of: load.id)
    if isTold { told.insert(load.id) }
    if !isTold, !isAskedFor { violations.append("A load that nobody asks for goes on.") }
    if isTold, isAskedFor, !told.contains(load.id) {
      violations.append("A load that is asked for was stopped.")
    }
  }

  private mutating func finish(_ reading: RunEnd) {
    guard !running.isEmpty else { return }
    let load = running.remove(at: random.below(running.count))
    let conclusion = table.finish(load.id, reading)
    if conclusion.isWanted, told.contains(load.id) {
      violations.append("The result of a stopped load was used.")
    }
    for token in conclusion.tokens {
      guard (unanswered.removeValue(forKey: token) ?? failed[token]) == load.key else {
        violations.append("\(token) got \(load.key) without having asked.")
        continue
      }
      if case .failed = reading { failed[token] = load.key } else { failed[token] = nil }
    }
    start(conclusion.starts)
  }

  private mutating func start(_ starts: [LoadStart]) {
    running += starts
    for lane in LoadLane.allCases {
      let isVisibleWaiting = table.entries.contains { key, entry in
        entry.isQueued && table.lane(of: key) == lane && table.priority(of: key) == .visible
      }
      let startsOther = starts.contains {
        $0.lane == lane && table.priority(of: $0.key) != .visible
      }
      if isVisibleWaiting, startsOther { violations.append("A preload overtook a visible load.") }
    }
  }

  /// What has no worker to look for it is told to stop, once, and only when nobody asks.
  private mutating func takeStops() {
    for id in table.takeStops() {
      guard let load = running.first(where: { $0.id == id }), load.lane == .asynchronous else {
        violations.append("A load was stopped that has a worker, or has ended.")
        continue
      }
      if !told.insert(id).inserted { violations.append("A load was stopped twice.") }
    }
    for load in running
    where load.lane == .asynchronous && !told.contains(load.id)
      && table.entries[load.key]?.isAskedFor != true
    {
      violations.append("A load without a worker goes on although nobody asks for it.")
    }
  }

  private mutating func check() {
    takeStops()
    if table.runningCount != running.count { violations.append("A load was lost.") }
    for lane in LoadLane.allCases { check(lane) }
    for (token, key) in unanswered where table.entries[key]?.priority(for: token) == nil {
      violations.append("\(token) waits for \(key), and the table does not know.")
    }
    for entry in table.entries.values where entry.isQueued && !entry.isAskedFor {
      violations.append("A load waits that nobody asks for.")
    }
  }

  private mutating func check(_ lane: LoadLane) {
    let limits = table.configuration.limits(of: lane)
    let running = running.filter { $0.lane == lane }
    if running.count > limits.count { violations.append("Too many loads run.") }
    guard running.count < limits.count else { return }
    let others = running.count { table.priority(of: $0.key) != .visible }
    for (key, entry) in table.entries where entry.isQueued && table.lane(of: key) == lane {
      let mayStart =
        table.priority(of: key) == .visible || others < limits.count - limits.reservedForVisible
      if mayStart { violations.append("A load waits although a place is free for it.") }
    }
  }

  private mutating func randomKey() -> LoadKey {
    let number = random.below(12)
    return LoadKey(blob: Int64(number)).by(number.isMultiple(of: 2) ? .original : Network.recipe)
  }

  private mutating func randomPriority() -> LoadPriority {
    random.element(of: [.preload, .imminent, .visible])
  }
}

/// Has the results of one recipe, which nothing fetches here.
private struct Network: AsyncBlobSource {
  static let recipe = Recipe("of the network")

  func offers(_ recipe: Recipe) -> Bool { recipe == Self.recipe }

  func fetch(_ key: LoadKey, into context: inout LoadContext) async throws {}
}

extension LoadEntry {
  fileprivate var isQueued: Bool {
    if case .queued = phase { true } else { false }
  }
}

extension RunEnd {
  fileprivate static func random(using random: inout SeededGenerator) -> Self {
    random.element(of: [.kept, .kept, .notKept, .failed(LoadError(.unreadable))])
  }
}
