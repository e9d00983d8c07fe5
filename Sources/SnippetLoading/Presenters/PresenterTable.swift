/// The presenters of the views of a list: one for each view that lives, with its view as a cell.
///
/// Views are held weakly; the presenter of a view that is gone goes at the next sweep, which is due
/// at the latest when there are twice as many as after the last.
@MainActor
struct PresenterTable {
  private struct Entry {
    weak var view: AnyObject?
    let presenter: any PresentedView
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var nextSweep = 32

  /// How many presenters there are, those of views that are gone included.
  var count: Int { entries.count }

  /// The presenter of a view, or `nil` when it has none.
  func presenter(of view: AnyObject) -> (any PresentedView)? {
    // A new view may be where a former one was in memory.
    guard let entry = entries[ObjectIdentifier(view)], entry.view === view else { return nil }
    return entry.presenter
  }

  /// Takes in the presenter of a view.
  ///
  /// - Returns: The presenter of a view that is gone, and had the same place in memory.
  mutating func insert(_ presenter: any PresentedView, for view: AnyObject) -> (any PresentedView)?
  {
    let former = entries.updateValue(
      Entry(view: view, presenter: presenter),
      forKey: ObjectIdentifier(view)
    )
    return former?.presenter
  }

  /// Whether a sweep is due before another presenter is taken in.
  var isSweepDue: Bool { entries.count >= nextSweep }

  /// Lets the presenters of views go that are gone; the loader ends what it has for them, since it
  /// holds no cell.
  ///
  /// - Complexity: O(*n*) in the number of views.
  mutating func sweep() {
    entries = entries.filter { $0.value.view != nil }
    nextSweep = max(32, 2 * entries.count)
  }
}
