import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTesting
import Testing

/// The samples in the doc comments on testing.
@MainActor enum TestingComments {
  static func scripting() {
    let stage = ScriptedLoader()
    let cell = stage.boundCell(to: 3)
    stage.executor.runAll()  // the blob is read
    stage.scheduler.runAll()  // and delivered
    #expect(cell.state == .loaded(stage.source.blob(of: stage.key(at: 3))))
  }

  static func reading(_ photo: BlobID, from source: some BlobSource) throws {
    var context = LoadContext()
    try source.read(LoadKey(blobID: photo), into: &context)
    #expect(context.bytes.count == 1_000)
  }

  static func surrounding(
    _ rows: ScriptedRows,
    _ source: ScriptedSource,
    _ threads: Threads,
    _ clock: ManualClock
  ) -> SnippetLoader {
    var surroundings = LoaderSurroundings()
    surroundings.executeLoad = { work in threads.run(work) }
    surroundings.now = { clock.now }
    let loader = SnippetLoader(list: rows, source: source, surroundings: surroundings)
    return loader
  }

  /// Runs work elsewhere.
  struct Threads {
    func run(_ work: @escaping @Sendable () -> Void) { Thread.detachNewThread(work) }
  }

  static func flinging(on screen: SimulatedScreen, _ loader: SnippetLoader) {
    let thumb = ScrollSimulation(
      rowCount: 100_000,
      viewport: 12,
      pattern: .fling,
      seed: 1,
      steps: 600
    )
    for first in thumb {
      screen.scroll(to: first)
      loader.drain()
    }
  }
}
