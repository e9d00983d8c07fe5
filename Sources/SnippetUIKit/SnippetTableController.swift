#if canImport(UIKit) || UIKIT_DECLARATIONS
#if canImport(UIKit)
public import UIKit
#else
public import Foundation
#endif
public import SnippetLoading
internal import SnippetStorage

/// A table that shows a list with the presenters' cells, animates changes, and keeps the visible
/// rows in place.
///
/// It registers the types of cells by itself, loads the visible rows, and loads nothing while it is
/// off screen. All rows have the height of `tableView.rowHeight`, so that scrolling to any of a
/// million rows is immediate, unless a subclass sets other heights.
open class SnippetTableController: UITableViewController {
  /// The content of the table, which sets its change handler.
  public let dataSource: SnippetDataSource
  private var registered: Set<String> = []

  /// Makes a table.
  ///
  /// - Parameters:
  ///   - dataSource: The content. Register the presenters before the table is on screen.
  ///   - style: The style of the table. The default is plain.
  ///     The table follows when a list is counted late, so a long one need not be counted first.
  public init(_ dataSource: SnippetDataSource, style: UITableView.Style = .plain) {
    self.dataSource = dataSource
    super.init(style: style)
    dataSource.changeHandler = { [weak self] change in self?.listDidChange(change) }
  }

  /// Fails, because a table cannot be made from an archive: it needs a data source.
  ///
  /// - Parameter coder: Not read.
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
    guard let type = dataSource.viewType(at: indexPath.row) as? UITableViewCell.Type,
      let identifier = dataSource.reuseIdentifier(at: indexPath.row)
    else {
      // The row has just been deleted, the list cannot be read, or no presenter takes a cell for
      // it.
      return UITableViewCell(style: .default, reuseIdentifier: nil)
    }
    if registered.insert(identifier).inserted {
      tableView.register(type, forCellReuseIdentifier: identifier)
    }
    let cell = tableView.dequeueReusableCell(withIdentifier: identifier, for: indexPath)
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

  /// Reports the visible range to the loader: at first, and whenever the table scrolls.
  open override func viewDidLayoutSubviews() {
    super.viewDidLayoutSubviews()
    guard let rows = tableView.indexPathsForVisibleRows, let first = rows.first else { return }
    dataSource.show(visible: first.row..<first.row + rows.count)
  }

  /// Loads the screen again.
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

  /// Shows a change of the list, and keeps the visible rows in place.
  ///
  /// Override it to follow the list, for a count or an empty state, and call `super`.
  ///
  /// - Parameter change: The change.
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
