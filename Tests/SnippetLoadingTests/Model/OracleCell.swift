import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting

/// A cell that knows what it may be told next, and reports everything else.
@MainActor
final class OracleCell: SnippetCell {
  /// What the cells of a world have in common.
  @MainActor
  final class Judge {
    let source: ScriptedSource
    let rules: RecipeRules
    let report: (String) -> Void
    /// Called when a cell gets a state, before it looks at it.
    var onState: () -> Void = {}
    /// Whether blobs may be taken away to be loaded anew.
    var allowsReset = false

    init(source: ScriptedSource, rules: RecipeRules, report: @escaping (String) -> Void) {
      self.source = source
      self.rules = rules
      self.report = report
    }

    /// The keys of all loads that a row needs on screen.
    func keys(of row: SnippetRow) -> [LoadKey] {
      guard let blobID = row.blobID else { return [] }
      return rules.wanted(row, .visible).map { LoadKey(blobID: blobID, recipe: $0) }
    }
  }

  private enum Phase {
    case loading
    case loaded
    case failed
    case idle
  }

  private(set) var row: SnippetRow?
  /// The snippet that the list's owner bound the cell to; `nil` while it is not bound.
  var boundID: SnippetID? {
    didSet {
      // What the cell showed before it was unbound says nothing of its next binding.
      if boundID == nil { phases = [:] }
    }
  }
  /// Whether the cell is bound to whatever row comes next.
  var adoptsNextRow = false
  private var phases: [Recipe: Phase] = [:]
  private let judge: Judge

  init(_ judge: Judge) {
    self.judge = judge
  }

  var hasFailed: Bool { phases.values.contains(.failed) }

  /// Whether all that the cell needs is in it.
  var isComplete: Bool {
    guard let row else { return false }
    return judge.keys(of: row).allSatisfy { phases[$0.recipe] == .loaded }
  }

  func show(_ row: SnippetRow, changing fields: SnippetFields) {
    if adoptsNextRow { boundID = row.id }
    if fields.isEmpty { judge.report("A row without anything new.") }
    if row.id != boundID { judge.report("Snippet \(row.id) in a cell bound to \(boundName).") }
    if fields != .all, self.row?.id != row.id { judge.report("A change of a row not shown.") }
    if row.id != self.row?.id || row.blobID != self.row?.blobID { phases = [:] }
    self.row = row
  }

  func show(_ state: LoadState, of recipe: Recipe) {
    judge.onState()
    // A bind that finds no row at its position ends the binding.
    if case .failed(let failure) = state, failure.error.code == .rowUnavailable, row == nil {
      return
    }
    if boundID == nil { judge.report("A cell that is not bound was told \(state.name).") }
    guard let row, row.id == boundID else {
      return judge.report("A state came before the row of \(boundName).")
    }
    let former = phases[recipe]
    switch state {
    case .idle:
      phases[recipe] = .idle
      if row.blobID != nil { judge.report("Nothing to load for a snippet with a blob.") }
      if former != nil { judge.report("Idle after another state.") }
    case .loading(let progress):
      phases[recipe] = .loading
      if former == .loaded, !judge.allowsReset { judge.report("A blob was taken away.") }
      if let standIn = progress.standIn { check(standIn, of: row) }
    case .loaded(let blob):
      phases[recipe] = .loaded
      if former == .loaded, !judge.allowsReset { judge.report("A blob came twice.") }
      if blob.key.recipe != recipe { judge.report("\(blob.key) instead of \(recipe).") }
      check(blob, of: row)
    case .failed:
      phases[recipe] = .failed
      if former == .loaded, !judge.allowsReset { judge.report("A failure after the blob.") }
    }
    let wanted = row.blobID == nil ? [.original] : judge.keys(of: row).map(\.recipe)
    if !wanted.contains(recipe) { judge.report("A state of \(recipe), which nobody wants.") }
  }

  func prepareForReuse() {
    row = nil
    phases = [:]
  }

  /// What is wrong with the cell when nothing is under way any more.
  func flaws(asShowing expected: SnippetRow) -> [String] {
    var flaws: [String] = []
    // A revision that changes nothing that a cell shows is not worth telling. Compared by hand, not by
    // what the loader finds out with.
    if row?.id != expected.id || row?.kind != expected.kind || row?.title != expected.title
      || row?.preview != expected.preview || row?.blobID != expected.blobID
    {
      flaws.append("An old row: \(String(describing: row)) instead of \(expected).")
    }
    if expected.blobID == nil, phases != [.original: .idle] {
      flaws.append("At rest text \(expected.id) is \(phases).")
    }
    for key in judge.keys(of: expected) {
      switch phases[key.recipe] {
      case .loaded: continue
      case .failed where judge.source.failure(of: LoadKey(blobID: key.blobID)) != nil: continue
      case let phase: flaws.append("At rest \(key) is \(String(describing: phase)).")
      }
    }
    return flaws
  }

  private func check(_ blob: LoadedBlob, of row: SnippetRow) {
    if blob.key.blobID != row.blobID { judge.report("\(blob.key) in a cell of another blob.") }
    if blob.bytes != judge.source.bytes(of: blob.key) {
      judge.report("The bytes of another blob than \(blob.key).")
    }
  }

  private var boundName: String { boundID.map(\.description) ?? "nothing" }
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
