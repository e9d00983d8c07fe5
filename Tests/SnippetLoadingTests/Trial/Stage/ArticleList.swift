/// What the lists of all articles have in common.
@MainActor
protocol ArticleList: ListOnTrial {
  var stage: TrialStage { get }
}

extension ArticleList {
  func identifier(for kind: TrialItem.Kind) -> String { String(reflecting: kind.cellType) }
  func identifier(of cell: TrialCell) -> String? { String(reflecting: type(of: cell)) }
  func willDisplay(_ cell: TrialCell, at position: Int) {}
  func didEndDisplaying(_ cell: TrialCell, at position: Int) {}
  func show(visible: Range<Int>) {}
  func reloadRows() {}
  func itemDidChange() {}
  func willReload() {}
  func reset() {}
  func screenWillDisappear() {}
  func screenDidAppear() {}
  func memoryDidRunShort() {}
  func timePasses() {}
  func handOver() {}
  var turnCount: Int { stage.turns.count }
  func takeTurn() { stage.turns.runNext() }
  var keptCount: Int { 0 }
  var hasReportedWaste: Bool { false }
}
