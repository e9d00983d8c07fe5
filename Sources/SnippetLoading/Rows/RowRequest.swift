internal import SnippetStorage

/// One read of a list: what is asked, by what means, and what for.
struct RowRequest: Sendable {
  /// Who waits for the rows.
  enum Purpose: Sendable {
    /// The main actor: the screen, or a row near it, lacks rows.
    case screen
    /// The main actor: somebody asks for a row far from the screen.
    case aside
    /// The main actor: the host says that rows have changed.
    case change
    /// Nobody yet: the movement comes to these rows soon.
    case ahead
    /// The screen, which shows a former state of the list.
    case refresh

    /// Whether the rows are read on a thread of the loader.
    var isApart: Bool { self == .ahead || self == .refresh }
  }

  /// What the list is asked for.
  enum Form: Sendable {
    /// What makes the rows that are held those of the latest state.
    case update
    /// All rows at the positions.
    case page
    /// The rows at the positions, before the list is counted if need be.
    case firstPage
  }

  /// Tells the answer to this request from that to another.
  let serial: UInt64
  let purpose: Purpose
  let form: Form
  /// What is held as the request is made.
  let held: HeldRows
  let positions: Range<Int>
  /// The rows on screen that the host knows, with their positions in the state that is held.
  let candidates: [RowPlace]

  /// Whether it asks for nothing but what has become of rows in memory.
  var isForChanges: Bool {
    (purpose == .change || purpose == .refresh) && form == .update && !held.positions.isEmpty
  }

  /// Reads the list.
  func read(_ list: any RowList) throws -> RowUpdate {
    switch form {
    case .update: try list.readUpdate(of: held, at: positions, anchoredAt: candidates)
    case .page: RowUpdate(try list.page(positions), from: held)
    case .firstPage: RowUpdate(try list.firstPage(positions), from: held)
    }
  }
}
