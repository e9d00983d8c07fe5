/// A list that loads into recycled cells: the code of an article, or ours.
///
/// The methods are what a table or a collection tells its owner. An article has those that its code
/// has; the others do nothing.
@MainActor
protocol ListOnTrial: AnyObject, SendableMetatype {
  init(_ stage: TrialStage)

  // MARK: - Cells

  /// What a cell for a kind is asked for by.
  func identifier(for kind: TrialItem.Kind) -> String
  /// What a cell waits in the pool under; `nil` for one that nobody finds again.
  func identifier(of cell: TrialCell) -> String?
  /// Shows a position in a cell, which is not on screen yet unless it was before.
  func configure(_ cell: TrialCell, at position: Int)
  func willDisplay(_ cell: TrialCell, at position: Int)
  func didEndDisplaying(_ cell: TrialCell, at position: Int)

  // MARK: - The list

  func show(visible: Range<Int>)
  /// Rows came or went, and the screen is about to follow.
  func reloadRows()
  /// A snippet has another title, or was given the one that it had.
  func itemDidChange()
  /// All cells are about to be configured anew.
  func willReload()
  /// A user asks for everything again.
  func reset()
  func screenWillDisappear()
  func screenDidAppear()

  // MARK: - The surroundings

  func memoryDidRunShort()
  /// A long time passes.
  func timePasses()
  /// Gives workers what was asked of them since.
  func handOver()
  /// How much waits for a turn of the main actor.
  var turnCount: Int { get }
  /// Runs what has waited longest.
  func takeTurn()
  /// How many pictures are kept beyond the cells.
  var keptCount: Int { get }
  /// Whether anybody was told that cells are made over and over.
  var hasReportedWaste: Bool { get }
}

/// What a list on trial works with.
@MainActor
struct TrialStage {
  let setting: TrialSetting
  let model: TrialModel
  let queue: TrialQueue
  let turns: TrialTurns
  let screen: TrialScreen
}
