import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading

@MainActor
struct SnippetLoaderRecipeTests {
  private let small = FakeProcessor(1, standsInFor: [Recipe.numbered(2), .original])
  private let large = FakeProcessor(2)
  private let fixture: ScriptedLoader
  private var loader: SnippetLoader { fixture.loader }

  init() {
    // Cells show the large recipe and the original, what is further away is preloaded small.
    let (small, large) = (small, large)
    let rules = RecipeRules(
      processors: [small, large],
      recipes: [.original, small.recipe, large.recipe]
    ) { [small, large] row, range in
      guard row.kind == .image else { return [.original] }
      return range == .preload ? [small.recipe] : [large.recipe, .original]
    }
    fixture = ScriptedLoader(rules: rules) { configuration in
      configuration.ranges = .init(imminent: 0, leading: 1, trailing: 0)
      configuration.retries = .none
    }
  }

  private func key(_ position: Int, _ processor: FakeProcessor? = nil) -> LoadKey {
    fixture.key(at: position).by(processor?.recipe ?? .original)
  }

  private func loaded(_ key: LoadKey) -> LoadState<LoadedBlob> {
    .loaded(fixture.source.blob(of: key))
  }

  @Test func `one cell has several loads each with states of its own`() {
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    #expect(cell.states(of: large.recipe) == [.waiting, loaded(key(0, large))])
    #expect(cell.states(of: .original) == [.waiting, loaded(key(0))])
    #expect(cell.rowCount == 1)
  }

  @Test func `what is derived has the right bytes`() throws {
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    guard case .loaded(let blob) = cell.states(of: large.recipe).last else {
      Issue.record("nothing was derived")
      return
    }
    #expect(blob.bytes == fixture.source.bytes(of: key(0, large)))
    #expect(blob.bytes != fixture.source.bytes(of: key(0)))
  }

  @Test func `many askers cause one read and one derivation`() {
    let cells = (0..<10).map { _ in fixture.boundCell(to: 0) }
    fixture.settle()

    #expect(fixture.source.reads == [key(0)])
    #expect(large.processed == [key(0, large)])
    #expect(cells.allSatisfy { $0.states(of: large.recipe).last == loaded(key(0, large)) })
  }

  @Test func `two recipes of a blob are made from one read`() {
    let rules = RecipeRules(
      processors: [small, large],
      recipes: [small.recipe, large.recipe]
    ) { [small, large] _, _ in
      [small.recipe, large.recipe]
    }
    let fixture = ScriptedLoader(rules: rules) { $0.ranges = .none }
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    #expect(fixture.source.reads == [key(0)])
    #expect(cell.states(of: small.recipe).last == loaded(key(0, small)))
    #expect(cell.states(of: large.recipe).last == loaded(key(0, large)))
    // The original was only a means.
    #expect(loader.pipeline.blobInMemory(for: key(0)) == nil)
  }

  @Test func `what is made from a blob in memory reads nothing`() {
    let rules = RecipeRules(
      processors: [small, large],
      recipes: [.original, large.recipe]
    ) { [large] row, range in
      row.title.isEmpty ? [.original] : [large.recipe]
    }
    let rows = ScriptedRows([.image(1), .image(2, blob: 1, title: "the same picture")])
    let fixture = ScriptedLoader(rows: rows, rules: rules) { $0.ranges = .none }
    fixture.loader.bind(RecordingCell(), to: 0)
    fixture.settle()

    let cell = fixture.boundCell(to: 1)
    fixture.settle()

    #expect(fixture.source.reads == [key(0)])
    #expect(cell.state == loaded(key(0, large)))
  }

  @Test func `a smaller recipe in memory stands in until the load is done`() {
    loader.show(visible: 0..<5)
    fixture.settle()
    #expect(Set(small.processed) == Set((5..<10).map { key($0, small) }))

    let cell = fixture.boundCell(to: 7)
    fixture.settle()

    let progress = LoadProgress(standIn: fixture.source.blob(of: key(7, small)))
    let standIn = LoadState.loading(progress)
    #expect(cell.states(of: large.recipe) == [standIn, loaded(key(7, large))])
    #expect(cell.states(of: .original) == [standIn, loaded(key(7))])
  }

  @Test func `what cannot be derived fails alone`() {
    large.fail(BlobID(rawValue: 1), with: LoadError(.undecodable))
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    #expect(cell.states(of: large.recipe) == [.waiting, .failed(LoadError(.undecodable))])
    #expect(cell.states(of: .original).last == loaded(key(0)))
  }

  @Test func `what is made from a blob that cannot be read fails with it`() {
    fixture.source.fail(key(0), with: LoadError(.unreadable))
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    #expect(cell.states(of: large.recipe) == [.waiting, .failed(LoadError(.unreadable))])
    #expect(cell.states(of: .original) == [.waiting, .failed(LoadError(.unreadable))])
    #expect(large.processed == [])
    #expect(fixture.source.readCount(of: key(0)) == 1)
  }

  @Test func `retry makes another attempt of the read and of what is made from it`() {
    fixture.source.fail(key(0), with: LoadError(.unreadable))
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    fixture.source.fail(key(0), with: nil)

    loader.retry(cell)
    fixture.settle()

    #expect(cell.states(of: large.recipe).last == loaded(key(0, large)))
    #expect(cell.states(of: .original).last == loaded(key(0)))
    #expect(fixture.source.readCount(of: key(0)) == 2)
  }

  @Test func `one of many askers leaves and the others have what was derived`() {
    let cells = (0..<3).map { _ in fixture.boundCell(to: 0) }
    // The original is read; what is made from it waits.
    fixture.executor.runNext()

    loader.unbind(cells[1])
    fixture.settle()

    #expect(cells[0].states(of: large.recipe).last == loaded(key(0, large)))
    #expect(cells[2].states(of: large.recipe).last == loaded(key(0, large)))
    #expect(cells[1].states == [.waiting, .waiting])
    #expect(large.processed.count == 1)
    #expect(loader.counters.loadsCancelled == 0)
  }

  @Test func `nothing is derived once the last asker has left`() {
    let cells = (0..<3).map { _ in fixture.boundCell(to: 0) }
    fixture.executor.runNext()

    for cell in cells { loader.unbind(cell) }
    fixture.settle()

    #expect(large.processed == [])
    #expect(fixture.source.reads == [key(0)])
  }

  @Test func `a recipe is not asked for while what it is made from is known to fail`() {
    let rules = RecipeRules(
      processors: [small, large],
      recipes: [small.recipe, large.recipe]
    ) { [small, large] _, range in
      [range == .preload ? small.recipe : large.recipe]
    }
    let fixture = ScriptedLoader(rules: rules) { configuration in
      configuration.ranges = .init(imminent: 0, leading: 1, trailing: 1)
      configuration.retries.memory = .seconds(60)
    }
    fixture.source.fail(key(0), with: LoadError(.unreadable))
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    #expect(cell.error?.code == .unreadable)

    fixture.loader.show(visible: 1..<2)
    fixture.settle()

    #expect(fixture.loader.pipeline.blobInMemory(for: key(2, small)) != nil)
    #expect(fixture.source.readCount(of: key(0)) == 1)
  }

  @Test func `a recipe is made of what is in memory though it is known to fail to load`() {
    let rules = RecipeRules(
      processors: [small, large],
      recipes: [.original, large.recipe]
    ) { [large] _, range in
      range == .visible ? [large.recipe] : [.original]
    }
    let fixture = ScriptedLoader(rules: rules) { configuration in
      configuration.ranges = .init(imminent: 0, leading: 1, trailing: 1)
      configuration.retries.memory = .seconds(60)
    }
    fixture.loader.show(visible: 1..<2)
    fixture.settle()
    fixture.source.fail(key(0), with: LoadError(.unreadable))

    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    #expect(cell.state == loaded(key(0, large)))
  }

  @Test func `a processor is asked what it makes a recipe from once`() {
    let processor = CountingProcessor()
    let rules = RecipeRules(processors: [processor], recipes: [processor.recipe]) { _, _ in
      [processor.recipe]
    }
    let fixture = ScriptedLoader(rules: rules) { $0.ranges = .none }

    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    #expect(cell.bytes == fixture.source.bytes(of: key(0)))
    #expect(processor.inputCount == 1)
  }

  @Test func `of two processors with one recipe the later is used`() {
    let original = key(0).by(.original)
    let derived = key(0).by(.numbered(1))

    var graph = RecipeGraph(BlobSources(blocking: ScriptedSource(), asynchronous: nil))
    graph.add([FakeProcessor(1, from: Recipe.numbered(2)), FakeProcessor(1)])

    #expect(graph.input(of: derived) == original)
  }

  // 1 ← 2 ← 3 ← 2     4 ← original
  @Test func `a recipe that would be computed from itself is left to the source`() {
    var graph = RecipeGraph(BlobSources(blocking: ScriptedSource(), asynchronous: nil))
    graph.add([
      FakeProcessor(1, from: Recipe.numbered(2)), FakeProcessor(2, from: Recipe.numbered(3)),
      FakeProcessor(3, from: Recipe.numbered(2)), FakeProcessor(4),
    ])

    for number in 1...3 {
      let looped = key(0).by(.numbered(number))
      #expect(graph.input(of: looped) == nil, "\(number)")
    }
    let sound = key(0).by(.numbered(4))
    #expect(graph.input(of: sound) == key(0).by(.original))
  }
}

/// Counts how often it is asked for its input.
private final class CountingProcessor: BlobProcessor {
  let recipe = Recipe.numbered(9)
  private let count = Lock(0)

  var inputCount: Int { count.withLock { $0 } }

  var inputs: [Recipe] {
    count.withLock { $0 += 1 }
    return [.original]
  }

  func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    try context.append(input.bytes)
  }
}
