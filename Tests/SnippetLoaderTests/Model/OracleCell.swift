import Foundation
import SnippetLoader
import SnippetStore
import SnippetTestSupport

/// A cell that knows what it may be told next, and reports everything else.
@MainActor
final class OracleCell: SnippetCell {
  private enum Phase {
    /// A new row or a new blob; its first state is outstanding.
    case fresh
    case loading
    case loaded
    case failed
    case idle
  }

  private(set) var row: SnippetRow?
  private(set) var loadedBytes: Data?
  private(set) var failure: LoadError?
  /// The snippet that the list's owner bound the cell to; `nil` while it is not bound.
  var boundID: SnippetID? {
    didSet {
      // What the cell showed before it was unbound says nothing of its next binding.
      if boundID == nil { phase = .fresh }
    }
  }
  private var phase = Phase.idle
  private let source: FakeSource
  private let report: (String) -> Void

  init(source: FakeSource, report: @escaping (String) -> Void) {
    self.source = source
    self.report = report
  }

  var isLoading: Bool { phase == .loading }

  func show(_ row: SnippetRow) {
    if row.id != boundID { report("A row of snippet \(row.id) in a cell bound to \(boundName).") }
    if row.id != self.row?.id || row.blobID != self.row?.blobID { phase = .fresh }
    self.row = row
  }

  func show(_ state: LoadState) {
    if boundID == nil { report("A cell that is not bound was told \(state.name).") }
    if row?.id != boundID { report("A state came before the row of \(boundName).") }
    let former = phase
    loadedBytes = nil
    failure = nil
    switch state {
    case .idle:
      phase = .idle
      if row?.blobID != nil { report("Nothing to load for a snippet with a blob.") }
      if former != .fresh { report("Idle after \(former).") }
    case .loading:
      phase = .loading
      if former == .loaded { report("A blob was taken away.") }
    case .loaded(let blob):
      phase = .loaded
      loadedBytes = blob.bytes
      if former == .loaded { report("A blob came twice.") }
      guard let key else { return report("A blob for a snippet without one.") }
      if blob.key != key { report("\(blob.key) in place of \(key).") }
      if blob.bytes != source.bytes(of: key) { report("The bytes of another blob than \(key).") }
    case .failed(let error):
      phase = .failed
      failure = error
      if former == .loaded { report("A failure after the blob.") }
    }
  }

  func prepareForReuse() {
    row = nil
    loadedBytes = nil
    failure = nil
    phase = .idle
  }

  /// What is wrong with the cell when nothing is under way any more.
  func flaws(asShowing expected: SnippetRow) -> [String] {
    var flaws: [String] = []
    if row != expected {
      flaws.append("An old row: \(String(describing: row)) instead of \(expected).")
    }
    switch phase {
    case .idle where expected.blobID == nil, .loaded where expected.blobID != nil: break
    case .failed where key.flatMap(source.failure) != nil: break
    default: flaws.append("At rest snippet \(expected.id) is \(phase).")
    }
    return flaws
  }

  private var boundName: String { boundID.map(\.description) ?? "nothing" }

  private var key: LoadKey? { row?.blobID.map { LoadKey(blobID: $0) } }
}

extension LoadState {
  fileprivate var name: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }
}
