internal import SnippetStorage

/// One read of a list, with its form and its purpose.
struct RowRequest: Sendable {
  /// The reason for the read.
  enum Purpose: Sendable {
    /// The main actor waits: the screen, or a row near it, lacks rows.
    case screen
    /// The main actor waits for a row far from the screen.
    case aside
    /// The main actor waits: the host says that rows have changed.
    case change
    /// Nothing waits yet: the movement will reach these rows soon.
    case ahead
    /// The screen shows a former state of the list.
    case refresh

    /// Whether the rows are read on a thread of the loader.
    var isApart: Bool { self == .ahead || self == .refresh }
  }

  /// The form of the answer.
  enum Form: Sendable {
    /// The changes that bring the rows in memory to the latest state.
    case update
    /// All rows at the positions.
    case page
    /// The rows at the positions, even before the list is counted.
    case firstPage
  }

  /// Distinguishes the answer to this request from others.
  let serial: UInt64
  let purpose: Purpose
  let form: Form
  /// The rows in memory at the time of the request.
  let held: HeldRows
  let positions: Range<Int>
  /// The rows on screen that the host knows, with their positions in the state in memory.
  let candidates: [RowPlace]

  /// Whether it only asks for changes to rows in memory.
  var isForChanges: Bool {
    (purpose == .change || purpose == .refresh) && form == .update && !held.positions.isEmpty
  }

  /// Reads the list.
  func read(_ list: any RowList) throws -> RowUpdate {
    switch form {
    case .update: try list.update(held, at: positions, anchoredAt: candidates)
    case .page: RowUpdate(try list.page(positions), from: held)
    case .firstPage: RowUpdate(try list.firstPage(positions), from: held)
    }
  }
}
