/// The presenters of a list's views: one for each living view, with that view as a cell.
///
/// Views are held weakly. The presenter of a view that is gone is removed by the next sweep, which
/// is due when the table has grown to twice its size after the last one.
@MainActor
struct PresenterTable {
  private struct Entry {
    weak var view: AnyObject?
    let presenter: any PresentedView
  }

  private var entries: [ObjectIdentifier: Entry] = [:]
  private var nextSweep = 32

  /// The number of presenters, with those whose views are gone.
  var count: Int { entries.count }

  /// The presenter of a view, or `nil` when it has none.
  func presenter(of view: AnyObject) -> (any PresentedView)? {
    // A new view may have the address of one that is gone.
    guard let entry = entries[ObjectIdentifier(view)], entry.view === view else { return nil }
    return entry.presenter
  }

  /// Adds the presenter of a view.
  ///
  /// - Returns: The presenter of a view that is gone and had the same address, if any.
  mutating func insert(_ presenter: any PresentedView, for view: AnyObject) -> (any PresentedView)?
  {
    let former = entries.updateValue(
      Entry(view: view, presenter: presenter),
      forKey: ObjectIdentifier(view)
    )
    return former?.presenter
  }

  /// Whether a sweep is due before another presenter is added.
  var isSweepDue: Bool { entries.count >= nextSweep }

  /// Removes the presenters of views that are gone.
  ///
  /// The loader then ends their loads, since it holds no cell.
  ///
  /// - Complexity: O(*n*) in the number of views.
  mutating func sweep() {
    entries = entries.filter { $0.value.view != nil }
    nextSweep = max(32, 2 * entries.count)
  }
}
