@testable import SnippetLoading
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
    table = LoadTable(limits: .init(workerCount: workers, reservedForVisible: reserved))
  }

  mutating func step() {
    switch random.below(100) {
    case 0..<30: ask()
    case 30..<50: leave()
    case 50..<60: setPriority()
    case 60..<70: reconcile()
    case 70..<80: observe()
    case 80..<81:
      table.withdrawAll()
      unanswered = [:]
      failed = [:]
    default: finish(.random(using: &random))
    }
    check()
  }

  mutating func finishAll() {
    while !running.isEmpty { finish(.kept) }
    check()
  }

  private mutating func ask() {
    lastGeneration += 1
    let token = BindingToken(slot: UInt32(random.below(8)), generation: lastGeneration)
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
    let desired = (0..<random.below(8)).map { _ in
      DesiredLoad(key: randomKey(), priority: randomPriority())
    }
    start(table.reconcile(desired))
  }

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
    let isVisibleWaiting = table.entries.contains { key, entry in
      entry.isQueued && table.priority(of: key) == .visible
    }
    let startsOther = starts.contains { table.priority(of: $0.key) != .visible }
    if isVisibleWaiting, startsOther { violations.append("A preload overtook a visible load.") }
  }

  private mutating func check() {
    if table.runningCount > table.limits.workerCount { violations.append("Too many loads run.") }
    if table.runningCount != running.count { violations.append("A load was lost.") }
    let visibleRunning = running.count { table.priority(of: $0.key) == .visible }
    let others = running.count - visibleRunning
    if running.count < table.limits.workerCount {
      for (key, entry) in table.entries where entry.isQueued {
        let mayStart =
          table.priority(of: key) == .visible
          || others < table.limits.workerCount - table.limits.reservedForVisible
        if mayStart { violations.append("A load waits although a worker is free for it.") }
      }
    }
    for (token, key) in unanswered where table.entries[key]?.asks(token) != true {
      violations.append("\(token) waits for \(key), and the table does not know.")
    }
    for entry in table.entries.values where entry.isQueued && !entry.isAskedFor {
      violations.append("A load waits that nobody asks for.")
    }
  }

  private mutating func randomKey() -> LoadKey { LoadKey(blob: Int64(random.below(10))) }

  private mutating func randomPriority() -> LoadPriority {
    random.element(of: [.preload, .imminent, .visible])
  }
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
