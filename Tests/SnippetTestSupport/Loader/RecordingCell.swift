package import Foundation
package import SnippetLoading
package import SnippetStorage

/// A cell that remembers all that it was told.
@MainActor
package final class RecordingCell: SnippetCell {
  package private(set) var row: SnippetRow?
  package private(set) var states: [LoadState] = []
  /// The variants that the states were of.
  package private(set) var variants: [BlobVariant] = []
  /// What each row that was shown changed.
  package private(set) var changes: [SnippetFields] = []
  package private(set) var resetCount = 0
  package let reuseDiscriminator: String
  /// Called when a row is shown, from within.
  package var onRow: ((SnippetRow) -> Void)?
  /// Called when a state is shown, from within.
  package var onState: ((LoadState) -> Void)?

  package init(discriminator: String = "") {
    reuseDiscriminator = discriminator
  }

  /// How many rows were shown.
  package var rowCount: Int { changes.count }

  /// The state on show; `nil` before the first.
  package var state: LoadState? { states.last }

  /// The bytes on show.
  package var bytes: Data? {
    if case .loaded(let blob) = state { blob.bytes } else { nil }
  }

  /// The failure on show.
  package var failure: LoadFailure? {
    if case .failed(let failure) = state { failure } else { nil }
  }

  /// The states of one variant.
  package func states(of variant: BlobVariant) -> [LoadState] {
    zip(states, variants).filter { $1 == variant }.map(\.0)
  }

  package func show(_ row: SnippetRow, changing fields: SnippetFields) {
    self.row = row
    changes.append(fields)
    onRow?(row)
  }

  package func show(_ state: LoadState, of variant: BlobVariant) {
    states.append(state)
    variants.append(variant)
    onState?(state)
  }

  package func prepareForReuse() {
    row = nil
    resetCount += 1
  }
}
