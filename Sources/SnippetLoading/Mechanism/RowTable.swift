internal import SnippetStorage

/// The rows of a list that are in memory, and which state of the list its host knows.
///
/// The rows are of the latest state that was read; the host is told of it a moment later. Until then
/// it speaks of positions in the state that it knows, and ``position(of:)`` says where those are now.
struct RowTable {
  /// The rows around the viewport.
  private(set) var window = RowWindow()
  /// Rows far from the viewport that were asked for.
  private(set) var aside = RowWindow()
  /// What became of the list since the state that the host knows; `nil` where that is the window's.
  private(set) var untold: ListBatch?
  private var anchors = AnchorCandidates()

  /// The length of the list that the host knows; `nil` before anything was read.
  var count: Int? { untold?.formerCount ?? window.count }

  /// The latest state of the list that anything was read of; `nil` before the first read.
  var newestVersion: Int64? { [window.listVersion, aside.listVersion].compactMap(\.self).max() }

  // MARK: - Positions

  /// Where a row that the host knows stands in the window's state; the next one, if it is gone.
  ///
  /// - Parameter told: A position in the state that the host knows.
  /// - Returns: The position; `nil` outside of that state. After a reset nobody can tell, and it is
  ///   the same.
  func position(of told: Int) -> Int? {
    guard let untold, !untold.isReset else { return told }
    return untold.position(of: told)
  }

  /// Where positions that the host knows are in the window's state.
  func positions(of told: Range<Int>) -> Range<Int> {
    guard untold != nil else { return told }
    guard let start = position(of: told.lowerBound), !told.isEmpty else {
      let count = window.count ?? 0
      return min(told.lowerBound, count)..<min(told.lowerBound, count)
    }
    let end = position(of: told.upperBound - 1).map { $0 + 1 } ?? window.count ?? start
    return start..<max(start, end)
  }

  /// The row at a position in the window's state, if it is in memory.
  func row(at position: Int) -> SnippetRow? {
    window[position] ?? (aside.listVersion == window.listVersion ? aside[position] : nil)
  }

  /// The rows that may keep their place on screen, with the positions that the host knows.
  func anchorCandidates(in visible: Range<Int>?) -> [RowPlace] {
    anchors.places(window, in: visible)
  }

  // MARK: - What was read

  /// Takes in a page: joined to what is held where it is of the same state, in place of it elsewhere.
  mutating func take(_ page: SnippetPage, visible: Range<Int>?) {
    if let held = window.held, held.version != page.version {
      note(RowUpdate(page, from: held).batch, visible: visible)
    }
    window.insert(page)
  }

  /// Takes in an update of what the window holds.
  ///
  /// - Parameters:
  ///   - update: What was read.
  ///   - leaves: Whether rows elsewhere take the place of those that are held.
  ///   - visible: What is on screen of the window.
  /// - Returns: Whether it fits: one of another state changes nothing.
  mutating func take(_ update: RowUpdate, leaves: Bool, visible: Range<Int>?) -> Bool {
    var updated = window
    guard updated.take(update, leaves: leaves) else { return false }
    note(update.batch, visible: visible)
    window = updated
    return true
  }

  /// Holds rows far from the viewport.
  mutating func keepAside(_ page: SnippetPage) {
    aside.removeAll()
    aside.insert(page)
  }

  /// Has the rows aside become those around the viewport.
  mutating func swapAside() { swap(&window, &aside) }

  /// Drops the rows around the viewport outside of a range.
  mutating func trim(to kept: Range<Int>) { window.trim(to: kept) }

  /// Notes that the list could not be read at all: the host knows an empty one.
  mutating func noteUnread() {
    if untold == nil {
      untold = ListBatch(formerVersion: 0, version: 0, formerCount: 0, count: 0, isReset: true)
    }
  }

  /// Notes what became of the list, which the host does not know yet.
  private mutating func note(_ batch: ListBatch, visible: Range<Int>?) {
    guard batch.version != batch.formerVersion || batch.isReset else { return }
    anchors.keep(window, in: visible)
    if let former = untold {
      untold = former.joined(with: batch) ?? former.asReset
    } else {
      untold = batch
    }
  }

  // MARK: - Telling the host

  /// Has the host know the window's state from now on.
  ///
  /// - Returns: What became of the list since the state that it knew; `nil` where that is the same.
  mutating func tell() -> ListBatch? {
    anchors.forget()
    return untold.take()
  }

  /// Forgets all that is known of the list.
  mutating func removeAll() { self = RowTable() }
}
