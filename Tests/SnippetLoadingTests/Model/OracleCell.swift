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
      rules.wanted(row, .visible).map { LoadKey(of: row, recipe: $0) }
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
  /// Whether the cell is bound to whatever row comes next, asked when it comes.
  var adoptsNextRow: () -> Bool = { false }
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
    if adoptsNextRow() { boundID = row.id }
    if fields.isEmpty { judge.report("A row without anything new.") }
    if row.id != boundID { judge.report("Snippet \(row.id) in a cell bound to \(boundName).") }
    if fields != .all, self.row?.id != row.id { judge.report("A change of a row not shown.") }
    if let former = self.row, former.id != row.id, phases.values.contains(where: { $0 != .idle }) {
      judge.report("A part of \(former.id) was kept for \(row.id).")
    }
    let isOther =
      self.row.map {
        $0.id != row.id
          || LoadKey(of: $0).content != LoadKey(of: row).content
            && !judge.keys(of: row).isEmpty
      } ?? true
    if isOther { phases = phases.filter { $0.key == .original && $0.value == .idle } }
    self.row = row
  }

  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) {
    judge.onState()
    // A bind that finds no row at its position ends the binding.
    if case .failed(let error) = state, error.code == .rowUnavailable, row == nil {
      return
    }
    if boundID == nil { judge.report("A cell that is not bound was told \(state.name).") }
    // What belongs to the former snippet, or to its former content, goes before anything new.
    if case .idle = state, phases[recipe] != nil {
      phases[recipe] = .idle
      return
    }
    guard let row, row.id == boundID else {
      return judge.report("A state came before the row of \(boundName).")
    }
    let former = phases[recipe]
    switch state {
    case .idle:
      phases[recipe] = .idle
      if !judge.keys(of: row).isEmpty {
        judge.report("Nothing to load for a snippet that needs it.")
      }
    case .loading(let progress):
      phases[recipe] = .loading
      if former == .loaded, !judge.allowsReset { judge.report("A blob was taken away.") }
      if let standIn = progress.standIn { check(standIn, of: row, mayBeFormer: true) }
    case .loaded(let blob):
      phases[recipe] = .loaded
      if former == .loaded, !judge.allowsReset { judge.report("A blob came twice.") }
      if blob.key.recipe != recipe { judge.report("\(blob.key) instead of \(recipe).") }
      check(blob, of: row)
    case .failed:
      phases[recipe] = .failed
      if former == .loaded, !judge.allowsReset { judge.report("A failure after the blob.") }
    }
    let wanted = judge.keys(of: row).map(\.recipe)
    if !(wanted.isEmpty ? [.original] : wanted).contains(recipe) {
      judge.report("A state of \(recipe), which nobody wants.")
    }
  }

  func prepareForReuse() {
    row = nil
    phases = [:]
  }

  /// What is wrong with the cell when nothing is under way any more.
  func flaws(asShowing expected: SnippetRow) -> [String] {
    var flaws: [String] = []
    // A revision that changes nothing that a cell shows is not worth telling. Compared by hand, not
    // by what the loader finds out with.
    if row?.id != expected.id || row?.kind != expected.kind || row?.title != expected.title
      || row?.preview != expected.preview || row?.blobID != expected.blobID
    {
      flaws.append("An old row: \(String(describing: row)) instead of \(expected).")
    }
    if judge.keys(of: expected).isEmpty, phases[.original] != .idle || phases.count > 1 {
      flaws.append("At rest \(expected.id), which needs nothing, is \(phases).")
    }
    if expected.blobID == nil, row?.revision != expected.revision {
      flaws.append("An old text of \(expected.id).")
    }
    for key in judge.keys(of: expected) {
      switch phases[key.recipe] {
      case .loaded: continue
      case .failed where judge.source.failure(of: key.by(.original)) != nil: continue
      case let phase: flaws.append("At rest \(key) is \(String(describing: phase)).")
      }
    }
    return flaws
  }

  private func check(_ blob: LoadedBlob, of row: SnippetRow, mayBeFormer: Bool = false) {
    let isOwn =
      switch (blob.key.content, LoadKey(of: row).content) {
      case (.snippet(let id, _), .snippet(let own, _)) where mayBeFormer: id == own
      case (let content, let own): content == own
      }
    if !isOwn { judge.report("\(blob.key) in a cell of \(LoadKey(of: row)).") }
    if blob.bytes != judge.source.bytes(of: blob.key) {
      judge.report("The bytes of another blob than \(blob.key).")
    }
  }

  private var boundName: String { boundID.map(\.description) ?? "nothing" }
}

extension LoadState<LoadedBlob> {
  fileprivate var name: String {
    switch self {
    case .idle: "idle"
    case .loading: "loading"
    case .loaded: "loaded"
    case .failed: "failed"
    }
  }
}
