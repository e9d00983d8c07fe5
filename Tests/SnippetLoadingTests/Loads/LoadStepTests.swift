import Foundation
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading

/// Deliveries in steps: bytes that have been read, and what stands in for the rest.
@MainActor
struct LoadStepTests {
  /// Reads what a test says, step by step.
  private struct SteppedSource: BlobSource {
    var size: Int? = 1 << 20
    var pieces: [Int] = [300_000, 300_000, 448_576]
    var coarse: Data?
    let onPiece: @Sendable (Int) -> Void

    func offers(_ recipe: Recipe) -> Bool { recipe == .original }

    func read(_ key: LoadKey, into context: inout LoadContext) throws {
      if let size { try context.reserve(byteCount: size) }
      if let coarse { context.show(coarse) }
      for (index, piece) in pieces.enumerated() {
        try context.append(Data(repeating: UInt8(index), count: piece))
        onPiece(index)
      }
    }
  }

  private let executor = ManualExecutor()
  private let scheduler = ManualScheduler()

  private func loader(
    _ rules: RecipeRules = .originals,
    _ change: (inout SteppedSource) -> Void = { _ in },
    onPiece: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> SnippetLoader {
    var source = SteppedSource(onPiece: onPiece)
    change(&source)
    return SnippetLoader(
      list: ScriptedRows(count: 10),
      source: source,
      rules: rules,
      environment: .init(
        executor: executor,
        rowExecutor: ManualExecutor(),
        scheduler: scheduler
      )
    )
  }

  /// The progress that a cell was shown, deliveries being made after each piece.
  private func progress(
    _ rules: RecipeRules = .originals,
    _ change: (inout SteppedSource) -> Void = { _ in }
  ) -> [LoadProgress<LoadedBlob>] {
    let scheduler = scheduler
    let loader = loader(rules, change) { _ in MainActor.assumeIsolated { scheduler.runAll() } }
    let cell = RecordingCell()
    loader.bind(cell, to: 0)
    while executor.runNext() { scheduler.runAll() }
    guard case .loaded = cell.state else {
      Issue.record("The cell shows \(String(describing: cell.state)).")
      return []
    }
    return cell.states.compactMap {
      if case .loading(let progress) = $0 { progress } else { nil }
    }
  }

  @Test func `a cell is told how many bytes have come, in steps`() {
    let progress = progress()
    #expect(progress.map(\.byteCountRead) == [0, 300_000, 600_000, 1_048_576])
    #expect(progress.map(\.byteCount) == [nil, 1 << 20, 1 << 20, 1 << 20])
    #expect(progress.map(\.fraction) == [nil, 300_000 / 1_048_576, 600_000 / 1_048_576, 1])
  }

  @Test func `without an announced size there is no fraction`() {
    let progress = progress { $0.size = nil }
    #expect(progress.map(\.byteCountRead) == [0, 300_000, 600_000, 1_048_576])
    #expect(progress.allSatisfy { $0.fraction == nil })
  }

  @Test func `a load of a few bytes tells nothing but its end`() {
    let progress = progress {
      $0.size = 3_000
      $0.pieces = [1_000, 1_000, 1_000]
    }
    #expect(progress.map(\.byteCountRead) == [0])
  }

  @Test func `steps that come faster than turns of the main actor are told once`() {
    let loader = loader()
    let cell = RecordingCell()
    loader.bind(cell, to: 0)
    executor.runAll()
    // The load is done by the time of the turn, so that there is nothing left to tell.
    scheduler.runAll()
    #expect(cell.states.count == 2)
  }

  @Test func `what is made from a load shows how far that is`() {
    let processor = FakeProcessor(1)
    let progress = progress(
      RecipeRules(processors: [processor], recipes: [.image: [processor.recipe]])
    )
    #expect(progress.map(\.byteCountRead) == [0, 300_000, 600_000, 1_048_576])
  }

  @Test func `a coarse form is on screen until the load is done`() {
    let coarse = Data([1, 2, 3])
    let progress = progress { $0.coarse = coarse }
    #expect(progress.map(\.standIn?.bytes) == [nil, coarse, coarse, coarse])
  }

  @Test func `what is made from a load is made from its coarse form first`() {
    let processor = FakeProcessor(1)
    let key = LoadKey(blob: 1)
    let coarse = Data([1, 2, 3])
    let progress = progress(
      RecipeRules(processors: [processor], recipes: [.image: [processor.recipe]])
    ) {
      $0.coarse = coarse
    }
    #expect(progress.last?.standIn?.bytes == processor.recipe.scripted(coarse))
    #expect(progress.last?.standIn?.key == key.by(processor.recipe))
  }

  @Test func `a processor shows its first results`() {
    let processor = SteppedProcessor()
    let shown = Shown()
    let scheduler = scheduler
    processor.onStep { MainActor.assumeIsolated { scheduler.runAll() } }
    let loader = loader(RecipeRules(processors: [processor], recipes: [.image: [processor.recipe]]))
    let cell = RecordingCell()
    cell.onState = { state in
      let state = LoadState(state, of: TypedRecipe<[Int]>(processor.recipe))
      if let content = state.content { shown.contents.append(content) }
    }
    loader.bind(cell, to: 0)
    while executor.runNext() { scheduler.runAll() }

    #expect(shown.contents == [[1], [1, 2], [1, 2, 3]])
  }

  private final class Shown {
    var contents: [[Int]] = []
  }

  @Test func `a cell that was bound to another row meanwhile is told nothing of the former`() {
    let loader = loader()
    let cell = RecordingCell()
    loader.bind(cell, to: 0)
    let scheduler = scheduler
    let other = RecordingCell()
    loader.bind(other, to: 0)
    executor.runAll()
    loader.bind(cell, to: 1)
    scheduler.runAll()

    #expect(cell.states.count == 3)
    guard case .loading(let progress) = cell.state else {
      Issue.record("The cell shows \(String(describing: cell.state)).")
      return
    }
    #expect(progress == LoadProgress())
  }

  @Test func `a coarse form counts in no cache, and is gone with the load`() {
    let loader = loader { $0.coarse = Data([1, 2, 3]) }
    let cell = RecordingCell()
    loader.bind(cell, to: 0)
    executor.runAll()
    scheduler.runAll()
    let counters = loader.counters
    #expect(counters.cacheCount == 1)
    #expect(counters.cacheCost == (1 << 20) + 128)
    #expect(loader.pipeline.askCount == 0)
  }

  @Test func `a context made by hand tells what was shown`() throws {
    var context = LoadContext()
    #expect(context.standIn(as: String.self) == nil)
    context.show("coarse", byteCount: 6)
    #expect(context.standIn(as: String.self) == "coarse")
    #expect(context.standIn(as: Int.self) == nil)
    try context.attach("whole", byteCount: 5)
    #expect(context.content(as: String.self) == "whole")
  }
}

/// Shows what it has after each of three steps.
private final class SteppedProcessor: BlobProcessor {
  let recipe = Recipe.numbered(1)
  // Set before the loader runs, and read on the one thread that the test has.
  private nonisolated(unsafe) var step: @Sendable () -> Void = {}

  func onStep(_ step: @escaping @Sendable () -> Void) { self.step = step }

  func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    for count in 1...2 {
      context.show(Array(1...count), byteCount: 8 * count)
      step()
    }
    try context.attach([1, 2, 3], byteCount: 24)
  }
}
