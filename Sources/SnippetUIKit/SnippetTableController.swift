#if canImport(UIKit) || UIKIT_DECLARATIONS
#if canImport(UIKit)
public import UIKit
#else
public import Foundation
#endif
public import SnippetLoading
internal import SnippetStorage

/// A table that shows a list: cells of the types that the presenters take, animated changes, and a
/// place that stays where it is.
///
/// It registers the types of cells by itself, loads what is visible, and loads nothing while it is
/// off screen. All rows have the height of `tableView.rowHeight`, which scrolls to any of a million
/// at once, unless a subclass says otherwise.
open class SnippetTableController: UITableViewController {
  /// What the table shows; its change handler belongs to the table.
  public let dataSource: SnippetDataSource
  private var registered: Set<ReuseIdentifier> = []

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - dataSource: What it shows. Register the presenters before the table is on screen.
  ///     The table follows when a list is counted late, so a long one need not be counted first.
  ///   - style: How the table looks. The default is plain.
  public init(_ dataSource: SnippetDataSource, style: UITableView.Style = .plain) {
    self.dataSource = dataSource
    super.init(style: style)
    dataSource.changeHandler = { [weak self] change in self?.listDidChange(change) }
  }

  /// A table is not made from an archive: it needs a data source.
  ///
  /// - Parameter coder: Is not read.
  public required init?(coder: NSCoder) { nil }

  // MARK: - Rows

  open override func tableView(
    _ tableView: UITableView,
    numberOfRowsInSection section: Int
  ) -> Int {
    dataSource.count
  }

  open override func tableView(
    _ tableView: UITableView,
    cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    guard let identifier = dataSource.reuseIdentifier(at: indexPath.row),
      let type = identifier.type as? UITableViewCell.Type
    else {
      // The row was deleted meanwhile, the list cannot be read, or no presenter takes a cell for it.
      return UITableViewCell(style: .default, reuseIdentifier: nil)
    }
    let name = identifier.description
    if registered.insert(identifier).inserted {
      tableView.register(type, forCellReuseIdentifier: name)
    }
    let cell = tableView.dequeueReusableCell(withIdentifier: name, for: indexPath)
    dataSource.present(indexPath.row, in: cell)
    return cell
  }

  open override func tableView(
    _ tableView: UITableView,
    willDisplay cell: UITableViewCell,
    forRowAt indexPath: IndexPath
  ) {
    dataSource.willDisplay(cell, at: indexPath.row)
  }

  open override func tableView(
    _ tableView: UITableView,
    didEndDisplaying cell: UITableViewCell,
    forRowAt indexPath: IndexPath
  ) {
    dataSource.didEndDisplaying(cell)
  }

  // MARK: - Screen

  /// Tells the loader what is visible: at first, and whenever the table scrolls.
  open override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    guard let rows = tableView.indexPathsForVisibleRows, let first = rows.first else { return }
    dataSource.show(visible: first.row..<first.row + rows.count)
  }

  /// Loads again what is on screen.
  ///
  /// - Parameter animated: Whether the table comes on screen with an animation.
  open override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    dataSource.resume()
  }

  /// Stops all loads.
  ///
  /// - Parameter animated: Whether the table left the screen with an animation.
  open override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    dataSource.suspend()
  }

  // MARK: - Changes

  /// Shows a change of the list, with what was on screen where it was.
  ///
  /// Override it to follow the list, for a count or an empty state, and call it on `super`.
  ///
  /// - Parameter change: What became of the rows.
  open func listDidChange(_ change: ListChange) {
    guard let batch = change.batch else { return tableView.reloadData() }
    let former = change.anchor.map { top(of: $0.from) }
    tableView.performBatchUpdates {
      tableView.deleteRows(at: batch.removed.map { path($0.position) }, with: .automatic)
      tableView.insertRows(at: batch.inserted.map { path($0.position) }, with: .automatic)
      for move in batch.moved { tableView.moveRow(at: path(move.from), to: path(move.to)) }
    }
    guard let former, let anchor = change.anchor else { return }
    tableView.contentOffset.y += top(of: anchor.to) - former
  }

  private func path(_ position: Int) -> IndexPath { IndexPath(row: position, section: 0) }

  private func top(of position: Int) -> CGFloat {
    tableView.rectForRow(at: path(position)).origin.y
  }
}
#endif
