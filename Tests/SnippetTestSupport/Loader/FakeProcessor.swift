import SnippetBase
package import SnippetLoading
internal import Foundation
package import SnippetStorage
import SnippetTesting

/// Makes a recipe as ``ScriptedSource`` scripts it.
///
/// It counts its work, and can be made to fail.
package final class FakeProcessor: BlobProcessor {
  package let recipe: Recipe
  package let inputs: [Recipe]
  package let standsInFor: [Recipe]
  private let state = Lock(State())

  private struct State {
    var processed: [LoadKey] = []
    var failures: [BlobID: LoadError] = [:]
  }

  package init(
    _ number: Int,
    from input: Recipe = .original,
    standsInFor larger: [Recipe] = []
  ) {
    recipe = .numbered(number)
    inputs = [input]
    standsInFor = larger
  }

  /// The processed keys, in the order in which the work began.
  package var processed: [LoadKey] { state.withLock(\.processed) }

  package func fail(_ blob: BlobID, with error: LoadError?) {
    state.withLock { $0.failures[blob] = error }
  }

  package func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let key = input.key.by(recipe)
    let failure = state.withLock { state in
      state.processed.append(key)
      return key.blobID.flatMap { state.failures[$0] }
    }
    if let failure { throw failure }
    try context.append(recipe.scripted(input.bytes, from: input.key.recipe))
  }
}

extension Recipe {
  /// A recipe for a test, by a number from 0 to 15.
  package static func numbered(_ number: Int) -> Recipe { numberedRecipes[number] }

  private static let numberedRecipes = (0..<16).map { Recipe("test \($0)") }
}
