import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What happens when the loader evicts a blob.
@MainActor
@Suite(.timeLimit(.minutes(30)))
struct SnippetLoaderReleaseTests {
  /// Content that asks the loader as it ends.
  private final class Curious: Sendable {
    let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
      self.end = end
    }

    deinit { end() }
  }

  private struct CuriousProcessor: BlobProcessor {
    let recipe = Recipe.numbered(1)
    let end: @Sendable () -> Void

    func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
      try context.attach(Curious(end: end), byteCount: 100)
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func `what a blob does as it ends may ask the loader`(way: Int) {
    let asked = Lock(0)
    let box = Lock<SnippetLoader?>(nil)
    let rules = RecipeRules(
      processors: [
        CuriousProcessor {
          _ = box.withLock { $0 }?.pipeline.blobInMemory(for: LoadKey(blob: 1))
          asked.withLock { $0 += 1 }
        }
      ],
      recipes: [.numbered(1)]
    ) { _, _ in [Recipe.numbered(1)] }
    let fixture = ScriptedLoader(rules: rules) { $0.cacheByteLimit = way == 0 ? 300 : 10_000 }
    box.withLock { $0 = fixture.loader }
    for position in 0..<3 {
      let cell = fixture.boundCell(to: position)
      fixture.settle()
      fixture.loader.unbind(cell)
    }

    switch way {
    case 1: fixture.loader.pipeline.trimCache(to: 0)
    case 2: fixture.loader.resetAll()
    case 3: fixture.loader.close()
    default: break
    }

    #expect(asked.withLock { $0 } >= 2)
    box.withLock { $0 = nil }
  }
}
