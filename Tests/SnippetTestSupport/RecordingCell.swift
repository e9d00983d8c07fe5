package import Foundation
package import SnippetLoader
package import SnippetStore

/// A cell that remembers all that it was told.
@MainActor
package final class RecordingCell: SnippetCell {
  package private(set) var row: SnippetRow?
  package private(set) var states: [LoadState] = []
  package private(set) var rowCount = 0
  package private(set) var resetCount = 0
  package let reuseDiscriminator: String
  /// Called when a row is shown, from within.
  package var onRow: ((SnippetRow) -> Void)?
  /// Called when a state is shown, from within.
  package var onState: ((LoadState) -> Void)?

  package init(discriminator: String = "") {
    reuseDiscriminator = discriminator
  }

  /// The state on show; `nil` before the first.
  package var state: LoadState? { states.last }

  /// The bytes on show.
  package var bytes: Data? {
    if case .loaded(let blob) = state { blob.bytes } else { nil }
  }

  package func show(_ row: SnippetRow) {
    self.row = row
    rowCount += 1
    onRow?(row)
  }

  package func show(_ state: LoadState) {
    states.append(state)
    onState?(state)
  }

  package func prepareForReuse() {
    row = nil
    resetCount += 1
  }
}
