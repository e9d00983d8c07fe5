/// One thing that happens to a list, its screen or its loads.
enum TrialEvent: Hashable {
  // MARK: The user and the screen

  /// The list scrolls, so that a position is the first on screen.
  case show(Int)
  /// All cells leave the screen.
  case clear
  /// A cell is configured ahead of time.
  case prepare(Int)
  /// The cell on screen gets another row at once, without having left.
  case reuse(Int)
  /// The cells on screen are configured anew for the rows that they show.
  case reload
  /// The list hears of the cells that have left.
  case tell
  /// A user asks for everything again.
  case reset
  /// Another screen covers this one.
  case leave
  case comeBack
  /// The screen and its list are given up.
  case close

  // MARK: The list

  case insert
  /// The first row is deleted.
  case remove
  case edit(Character)
  /// A snippet is given the title that it has.
  case editInVain(Character)

  /// A snippet is given another picture, Z.
  case repaint(Character)

  // MARK: The source

  /// A worker takes the load that was asked for by a row.
  case take(Character)
  /// The load of a picture that has run longest ends.
  case end(Character)
  /// The load of a picture that began last, while an earlier one still runs, ends.
  case endLatest(Character)
  /// The source has another picture from now on.
  case replace(Character)
  /// Failing loads would succeed from now on, and some time passes.
  case mend

  // MARK: The system

  /// The main actor has its next turn.
  case turn
  /// Memory is short: cells in the pool are thrown away.
  case warn
}
