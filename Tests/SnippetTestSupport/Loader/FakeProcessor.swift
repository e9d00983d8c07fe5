import SnippetBase
package import SnippetLoading
internal import Foundation
package import SnippetStorage
import SnippetTesting

/// Makes a variant by turning every byte by the number of the variant, as ``ScriptedSource`` would give
/// it; it counts, and can be made to fail.
package final class FakeProcessor: BlobProcessor {
  package let variant: BlobVariant
  package let input: BlobVariant
  package let standsInFor: [BlobVariant]
  private let state = Lock(State())

  private struct State {
    var processed: [LoadKey] = []
    var failures: [BlobID: LoadError] = [:]
  }

  package init(
    _ number: UInt32,
    from input: BlobVariant = .original,
    standsInFor larger: [BlobVariant] = []
  ) {
    variant = BlobVariant(rawValue: number)
    self.input = input
    standsInFor = larger
  }

  /// The keys that were made, in the order in which the work began.
  package var processed: [LoadKey] { state.withLock(\.processed) }

  package func fail(_ blob: BlobID, with error: LoadError?) {
    state.withLock { $0.failures[blob] = error }
  }

  package func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let key = LoadKey(blobID: input.key.blobID, variant: variant)
    let failure = state.withLock { state in
      state.processed.append(key)
      return state.failures[key.blobID]
    }
    if let failure { throw failure }
    let turn = UInt8(truncatingIfNeeded: input.key.variant.rawValue ^ variant.rawValue)
    try context.append(Data(input.bytes.map { $0 ^ turn }))
  }
}
