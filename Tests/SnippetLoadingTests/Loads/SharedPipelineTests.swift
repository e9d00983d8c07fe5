import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading

/// Lists that share a pipeline.
@MainActor
struct SharedPipelineTests {
  @Test func `two lists read a blob once and keep it once`() {
    let first = ScriptedLoader()
    let second = ScriptedLoader(sharing: first)
    let cells = [first.boundCell(to: 3), second.boundCell(to: 3)]
    #expect(first.executor.pendingCount == 1)

    first.settle()

    #expect(cells.map(\.state) == [first.bytes(at: 3), first.bytes(at: 3)])
    #expect(first.source.readCount(of: first.key(at: 3)) == 1)
    #expect(second.loader.counters.cacheCount == 1)
  }

  @Test func `what one list has read is in the cell of another before the bind returns`() {
    let first = ScriptedLoader()
    let second = ScriptedLoader(sharing: first)
    _ = first.boundCell(to: 3)
    first.settle()

    #expect(second.loader.bind(RecordingCell(), to: 3) == .hit)
  }

  // Both ask from their first cell, with the first of its generations.
  @Test func `a delivery reaches the list that asked, whatever the places of the cells are`() {
    let first = ScriptedLoader()
    let second = ScriptedLoader(sharing: first)
    let cells = [first.boundCell(to: 1), second.boundCell(to: 2)]

    first.executor.runNext(at: 1)
    first.scheduler.runAll()
    #expect(cells[0].bytes == nil)
    #expect(cells[1].state == first.bytes(at: 2))

    first.settle()
    #expect(cells[0].state == first.bytes(at: 1))
    #expect(first.loader.counters.staleDropped == 0)
    #expect(second.loader.counters.staleDropped == 0)
  }

  enum Ending: CaseIterable {
    case closed, suspended, cancelled, gone
  }

  @Test(arguments: Ending.allCases)
  func `a list that ends or pauses disturbs no other`(ending: Ending) {
    let first = ScriptedLoader()
    var second: ScriptedLoader? = ScriptedLoader(sharing: first)
    second?.loader.show(visible: 3..<5)
    _ = second?.boundCell(to: 3)
    let cell = first.boundCell(to: 3)
    let alone = first.boundCell(to: 20)

    switch ending {
    case .closed: second?.loader.close()
    case .suspended: second?.loader.suspend()
    case .cancelled: second?.loader.cancelAll()
    case .gone: second = nil
    }
    first.settle()

    #expect(cell.state == first.bytes(at: 3))
    #expect(alone.state == first.bytes(at: 20))
    #expect(first.source.reads.count == 2, "What only the other list wanted was not read.")
  }

  @Test func `what is visible in any list is read before what another may need soon`() {
    let first = ScriptedLoader { $0.workerCount = 1 }
    let second = ScriptedLoader(sharing: first)
    first.loader.show(visible: 0..<3)
    second.loader.show(visible: 500..<503)

    first.settle()

    // The worker had taken the first of the first list by then.
    let reads = first.source.reads.prefix(6)
    #expect(Set(reads) == Set([0, 1, 2, 500, 501, 502].map(first.key)))
    #expect(reads.prefix(4).dropFirst() == [500, 501, 502].map(first.key)[...])
  }

  @Test func `lists together ask for no more than the cache holds`() {
    let first = ScriptedLoader { $0.cacheByteLimit = 12 * 1_128 }
    let second = ScriptedLoader(sharing: first)
    first.loader.show(visible: 0..<5)
    second.loader.show(visible: 500..<505)
    first.settle()

    let counters = first.loader.counters
    #expect(counters.cacheBypasses == 0)
    #expect(counters.cacheCount == 12)
    let pipeline = first.loader.pipeline
    for position in Array(0..<5) + Array(500..<505) {
      #expect(pipeline.blobInMemory(for: first.key(at: position)) != nil, "\(position)")
    }
  }

  @Test func `the room of a list that is closed is used by the others`() {
    let first = ScriptedLoader { $0.cacheByteLimit = 12 * 1_128 }
    let second = ScriptedLoader(sharing: first)
    second.loader.show(visible: 500..<510)
    first.loader.show(visible: 0..<2)
    first.settle()

    second.loader.close()
    first.loader.show(visible: 0..<5)
    first.settle()

    for position in 0..<8 {
      #expect(first.loader.pipeline.blobInMemory(for: first.key(at: position)) != nil)
    }
  }

  @Test func `blobs outlive the list that read them, and not a pipeline of its own`() {
    let first = ScriptedLoader()
    var second: ScriptedLoader? = ScriptedLoader(sharing: first)
    _ = second?.boundCell(to: 3)
    first.settle()
    second?.loader.close()
    second = nil
    #expect(first.loader.bind(RecordingCell(), to: 3) == .hit)

    first.loader.close()
    #expect(first.loader.pipeline.blobInMemory(for: first.key(at: 3)) == nil)
    #expect(first.loader.counters.cacheCost == 0)
  }

  @Test func `a list that was closed gets no answer, and the others do`() {
    let first = ScriptedLoader()
    let second = ScriptedLoader(sharing: first)
    second.loader.close()

    let outcome = second.loader.bind(RecordingCell(), to: 3)

    guard case .failed(let error) = outcome else {
      Issue.record("The bind ended with \(outcome).")
      return
    }
    #expect(error.code == .cancelled)
    #expect(first.loader.bind(RecordingCell(), to: 3) == .pending)
  }

  @Test func `what one list computes stands in for what another waits for`() {
    let small = FakeProcessor(1, standsInFor: [.numbered(2)])
    let first = ScriptedLoader(
      rules: RecipeRules(processors: [small], recipes: [.image: [small.recipe]])
    )
    let large = FakeProcessor(2)
    let second = ScriptedLoader(
      sharing: first,
      rules: RecipeRules(processors: [large], recipes: [.image: [large.recipe]])
    )
    _ = first.boundCell(to: 3)
    first.settle()

    let cell = second.boundCell(to: 3)

    guard case .loading(let progress) = cell.state else {
      Issue.record("The cell shows \(String(describing: cell.state)).")
      return
    }
    #expect(progress.standIn?.key == first.key(at: 3).by(small.recipe))
  }

  @Test func `a list whose recipes cannot be had is refused, and changes nothing`() throws {
    let source = ScriptedSource()
    let pipeline = LoadPipeline(source: source)
    let rules = RecipeRules(
      processors: [FakeProcessor(1, from: .numbered(7))],
      recipes: [.image: [.numbered(1)]]
    )
    let error = #expect(throws: LoadError.self) {
      try SnippetLoader(list: ScriptedRows(count: 3), pipeline: pipeline, rules: rules)
    }
    #expect(error?.code == .recipeUnavailable)

    let sound = RecipeRules(processors: [FakeProcessor(1)], recipes: [.image: [.numbered(1)]])
    #expect(throws: Never.self) {
      try SnippetLoader(list: ScriptedRows(count: 3), pipeline: pipeline, rules: sound)
    }
  }
}
