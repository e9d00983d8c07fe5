import Dispatch
import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// What a store tells of its work in the background.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct StoreEventTests {
  private let told = Told<StoreEvent>()
  private let file = TemporaryDirectory.file("store.sqlite")

  private var actions: [String] { told.all.map(\.headline) }

  /// A store that tells, waits for nobody and looks for commits of others when it is told to.
  private func open() throws -> SnippetStore {
    try TemporaryStore.open(configuration: .withoutLooks) {
      $0.busyTimeout = .zero
      $0.onEvent = told.take
    }
  }

  /// Another program that holds the write lock.
  private func writer() async throws -> ShellSession {
    let shell = try ShellSession(file)
    #expect(try await shell.run("BEGIN IMMEDIATE;") == "")
    return shell
  }

  // MARK: - Work

  @Test func `a checkpoint is told with the time it took`() async throws {
    let store = try open()

    try await store.save(
      contentsOf: (0..<11).map { Samples.image(Samples.bytes(1 << 20, seed: $0)) }
    )
    try await store.save(SnippetDraft(.text("short")))
    await store.connections.events.flush()

    #expect(actions == ["checkpoint began", "checkpoint ended"])
    let (began, ended) = (told.all[0], told.all[1])
    #expect(began.duration == nil && ended.duration == began.time.duration(to: ended.time))
    #expect(ended.error == nil && ended.description.hasPrefix("checkpoint ended after "))
  }

  @Test func `a checkpoint that another process is in the way of is told, and the next one done`()
    async throws
  {
    let store = try open()
    try await store.save(SnippetDraft(.text("short")))
    let shell = try await writer()

    store.connections.checkpointIfDue(at: 0)
    await store.connections.events.flush()

    #expect(actions == ["checkpoint began", "checkpoint failed"])
    #expect(told.all[1].error?.code == .busy, "\(told.all[1])")
    try await shell.end()
    store.connections.checkpointIfDue(at: 0)
    await store.connections.events.flush()
    #expect(actions.suffix(2) == ["checkpoint began", "checkpoint ended"])
  }

  @Test func `indexing that a search has begun is told, also that it failed`() async throws {
    let store = try open()
    try await store.save(SnippetDraft(.text("milk")))
    let shell = try await writer()

    #expect(try await store.search("milk").count == 1)
    #expect(await told.next().headline == "indexing began")
    let failed = await told.next()

    #expect(failed.headline == "indexing failed" && failed.duration != nil)
    #expect(failed.error?.code == .busy, "\(failed)")
    try await shell.end()
    // The one that failed has gone by now.
    await store.searchIndexing.withLock { $0 }?.value
    _ = try await store.search("milk")
    #expect(await told.next().headline == "indexing began")
    #expect(await told.next().headline == "indexing ended")
  }

  @Test func `what cannot be tidied up is told`() async throws {
    let store = try open()
    let staging = store.staging(for: "save a test")
    let draft = Samples.image(Samples.bytes(5 << 20))
    let prepared = try DraftPreparation(now: Samples.date, operation: "test", check: {})
      .prepare(draft)
    _ = try staging.stage(prepared, check: {})
    let shell = try await writer()

    staging.end()
    await store.connections.events.flush()

    #expect(actions.first == "tidying began" && actions.contains("tidying failed"))
    try await shell.end()
    #expect(try await !store.collectGarbage().isClean)
  }

  @Test func `a derivative that cannot be kept is told, and thrown`() async throws {
    let store = try open()
    let row = try await store.save(Samples.image(Samples.bytes(10)))
    let blob = try #require(row.blobID)
    let shell = try await writer()

    let derivative = Derivative(blobID: blob, recipe: Recipe("test"), data: Data("x".utf8))
    #expect(throws: SnippetStoreError.self) { try store.blockingSaveDerivatives([derivative]) }
    await store.connections.events.flush()

    #expect(actions == ["keeping derivatives failed"])
    #expect(told.all.first?.error?.code == .busy)
    try await shell.end()
  }

  @Test func `uses that cannot be written down are told, and the store closes`() async throws {
    let now = Lock(Samples.date)
    var configuration = SnippetStore.Configuration.withoutLooks
    configuration.busyTimeout = .zero
    configuration.now = { now.withLock { $0 } }
    configuration.onEvent = told.take
    let store = try SnippetStore(at: file, configuration: configuration)
    let row = try await store.save(Samples.image(Samples.bytes(10)))
    let (blob, recipe) = (try #require(row.blobID), Recipe("test"))
    try await store.saveDerivatives([Derivative(blobID: blob, recipe: recipe, data: Data("x".utf8))]
    )
    now.withLock { $0 += 3_600 }
    #expect(try await store.derivative(of: blob, by: recipe) != nil)
    let shell = try await writer()

    try await store.close()

    #expect(actions == ["noting uses failed"])
    #expect(told.all.first?.error?.code == .busy)
    try await shell.end()
  }

  @Test func `by the end of closing all has been told`() async throws {
    let store = try SnippetStore(
      at: file,
      configuration: {
        var configuration = SnippetStore.Configuration.withoutLooks
        configuration.onEvent = told.take
        return configuration
      }()
    )
    try await store.save(SnippetDraft(.text("milk")))
    store.connections.checkpointIfDue(at: 0)

    try await store.close()

    #expect(actions == ["checkpoint began", "checkpoint ended"])
  }

  // MARK: - Others

  @Test func `commits of others are told, and own ones never`() async throws {
    let store = try open()
    let other = try TemporaryStore.open(configuration: .withoutLooks)
    let observation = store.observeChanges {}
    try await store.save(SnippetDraft(.text("own")))
    try await look(store)
    #expect(actions == [])

    try await other.save(SnippetDraft(.text("other")))
    try await look(store)
    #expect(actions == ["foreign commit"])

    // Between two looks both write, in either order.
    try await other.save(SnippetDraft(.text("other")))
    try await store.save(SnippetDraft(.text("own")))
    try await look(store)
    #expect(actions == ["foreign commit", "foreign commit"])
    try await store.save(SnippetDraft(.text("own")))
    _ = try await Shell.sqlite3(file, "INSERT INTO snippets (body) VALUES ('shell')")
    try await look(store)
    #expect(actions == ["foreign commit", "foreign commit", "foreign commit"])

    // Nobody commits, and a checkpoint is no commit.
    try await look(store)
    _ = try await Shell.sqlite3(file, "BEGIN IMMEDIATE; DELETE FROM snippet; ROLLBACK")
    try await look(store)
    #expect(actions.count == 3)
    observation.cancel()
  }

  @Test func `to a store that only reads, every commit is one of others`() async throws {
    let other = try TemporaryStore.open(configuration: .withoutLooks)
    var configuration = SnippetStore.Configuration.withoutLooks
    configuration.access = .readOnly
    configuration.onEvent = told.take
    let store = try TemporaryStore.open(configuration: configuration)
    let observation = store.observeChanges {}
    try await look(store)
    let before = actions.count

    try await other.save(SnippetDraft(.text("other")))
    try await look(store)

    #expect(actions.count == before + 1 && actions.last == "foreign commit")
    observation.cancel()
  }

  @Test func `a file that was moved is told once`() async throws {
    let store = try open()
    let observation = store.observeChanges {}
    let watch = try #require(store.changeFeed.watch)
    let elsewhere = TemporaryDirectory.file("elsewhere.sqlite")
    try FileManager.default.moveItem(at: file, to: elsewhere)

    for _ in 0..<3 { store.changeFeed.queue.sync { watch.lookForFile() } }
    await store.connections.events.flush()

    #expect(actions.filter { $0 == "file displaced" }.count == 1)
    try FileManager.default.moveItem(at: elsewhere, to: file)
    observation.cancel()
  }

  @Test func `looks that fail are told once, and when they do not any more`() async throws {
    let store = try open()
    let (isBroken, path) = (Lock(true), file.path)
    let openFile = OpenStoreFile(path: path)
    let watch = RecordWatch(
      of: openFile,
      queue: DispatchQueue(label: "test"),
      interval: .seconds(86_400),
      report: {},
      events: store.connections.events,
      foreignCommits: nil,
      mark: nil
    ) {
      if isBroken.withLock({ $0 }) { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      return try Connections.openReader(path, of: openFile, busyTimeout: .seconds(1))
    }

    for _ in 0..<3 { watch.look() }
    isBroken.withLock { $0 = false }
    for _ in 0..<3 { watch.look() }
    await store.connections.events.flush()

    #expect(actions == ["following changes failed", "following changes recovered"])
    #expect(told.all.first?.error?.code == .unreadable)
    watch.end()
  }

  @Test func `the first look reports what was committed since the watch began, and nothing else`()
    async throws
  {
    let store = try open()
    let (reportCount, path) = (Lock(0), file.path)
    let openFile = OpenStoreFile(path: path)
    let mark = try store.connections.rows.snapshot { try ChangeMark(knownEndIn: $0) }
    let watches = (0..<2).map { _ in
      RecordWatch(
        of: openFile,
        queue: DispatchQueue(label: "test"),
        interval: .seconds(86_400),
        report: { reportCount.withLock { $0 += 1 } },
        events: store.connections.events,
        foreignCommits: nil,
        mark: mark
      ) {
        try Connections.openReader(path, of: openFile, busyTimeout: .seconds(1))
      }
    }

    watches[0].look()
    #expect(reportCount.withLock(\.self) == 0)
    try await store.save(SnippetDraft(.text("milk")))
    watches[1].look()
    #expect(reportCount.withLock(\.self) == 1)
    for watch in watches { watch.end() }
  }

  @Test func `a look that fails is followed by others, until one reports what was missed`()
    async throws
  {
    let store = try open()
    let (failures, reports, path) = (Lock(3), Told<Int>(), file.path)
    let openFile = OpenStoreFile(path: path)
    let watch = RecordWatch(
      of: openFile,
      queue: DispatchQueue(label: "test"),
      interval: .milliseconds(1),
      report: { reports.take(failures.withLock { $0 }) },
      events: store.connections.events,
      foreignCommits: nil,
      mark: nil
    ) {
      let isBroken = failures.withLock { count in
        count -= 1
        return count >= 0
      }
      if isBroken { throw DatabaseError(resultCode: .SQLITE_IOERR) }
      return try Connections.openReader(path, of: openFile, busyTimeout: .seconds(1))
    }

    watch.start()

    #expect(await reports.next() == -1)
    #expect(await told.next().headline == "following changes failed")
    #expect(await told.next().headline == "following changes recovered")
    watch.end()
  }

  // MARK: - Calling back

  // Appending folds the log while it holds the lock of the capture.
  @Test func `whoever is told may call the store and wait for it`() async throws {
    let (capture, answers) = (Lock<Capture?>(nil), Told<Int64>())
    let store = try TemporaryStore.open {
      $0.onEvent = { event in
        guard event.headline == "checkpoint began" else { return }
        answers.take(capture.withLock { $0 }?.byteCount ?? -1)
      }
    }
    let started = try await store.startCapture()
    capture.withLock { $0 = started }

    for seed in 0..<12 as Range<UInt64> {
      try await started.append(Samples.bytes(1 << 20, seed: seed))
      try await started.save()
    }

    #expect(await answers.next() >= 0)
    try await started.cancel()
    capture.withLock { $0 = nil }
  }

  /// Has a store look, and tell what it finds.
  private func look(_ store: SnippetStore) async throws {
    try store.lookForForeignCommits()
    await store.connections.events.flush()
  }
}
