#if canImport(UIKit)
import UIKit
#else
import Foundation
#endif
import SnippetLoading
import SnippetStorage

final class SnippetsController: UITableViewController {
  private let dataSource: SnippetDataSource

  init(showing list: SnippetList, of store: SnippetStore) {
    dataSource = SnippetDataSource(list: list, store: store)
    super.init(style: .plain)
    for kind in SnippetKind.allCases { dataSource.register(TableCellPresenter.init, for: kind) }
    dataSource.changeHandler = { [weak self] change in self?.listDidChange(change) }
  }

  required init?(coder: NSCoder) { nil }

  override func viewDidLoad() {
    super.viewDidLoad()
    tableView.rowHeight = 44  // a list of rows of one height scrolls to any of a million at once
    guard let identifier = dataSource.reuseIdentifier(for: .text)?.description else { return }
    tableView.register(UITableViewCell.self, forCellReuseIdentifier: identifier)
  }

  override func tableView(_ table: UITableView, numberOfRowsInSection section: Int) -> Int {
    dataSource.count
  }

  override func tableView(_ table: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell {
    guard let identifier = dataSource.reuseIdentifier(at: path.row)?.description else {
      return UITableViewCell()  // the row was deleted meanwhile, or the list cannot be read
    }
    let cell = table.dequeueReusableCell(withIdentifier: identifier, for: path)
    dataSource.present(path.row, in: cell)
    return cell
  }

  override func tableView(
    _ table: UITableView,
    willDisplay cell: UITableViewCell,
    forRowAt path: IndexPath
  ) {
    dataSource.willDisplay(cell, at: path.row)
  }

  override func tableView(
    _ table: UITableView,
    didEndDisplaying cell: UITableViewCell,
    forRowAt path: IndexPath
  ) {
    dataSource.didEndDisplaying(cell)
  }

  override func viewDidLayoutSubviews() {  // at first, and whenever the table scrolls
    super.viewDidLayoutSubviews()
    guard let rows = tableView.indexPathsForVisibleRows, let first = rows.first else { return }
    dataSource.viewportDidChange(first.row..<first.row + rows.count)
  }

  override func viewWillAppear(_ animated: Bool) {
    super.viewWillAppear(animated)
    dataSource.resume()
  }

  override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    dataSource.suspend()
  }

  private func listDidChange(_ change: ListChange) {
    guard let batch = change.batch else { return tableView.reloadData() }
    let paths = { (places: [RowPlace]) in
      places.map { IndexPath(row: $0.position, section: 0) }
    }
    tableView.performBatchUpdates {
      tableView.deleteRows(at: paths(batch.removed), with: .automatic)
      tableView.insertRows(at: paths(batch.inserted), with: .automatic)
      for move in batch.moved {
        tableView.moveRow(
          at: IndexPath(row: move.from, section: 0),
          to: IndexPath(row: move.to, section: 0)
        )
      }
    }
    tableView.contentOffset.y += CGFloat(change.displacement) * tableView.rowHeight
  }
}

final class TableCellPresenter: ContentPresenter {
  let recipe = TypedRecipe<Data>.original
  private var content = UIListContentConfiguration.cell()

  func update(_ field: SnippetField, of row: SnippetRow, in cell: UITableViewCell) {
    if field == .title { content.text = row.title }
    cell.contentConfiguration = content
  }

  func show(_ bytes: ContentState<Data>, in cell: UITableViewCell) {
    switch bytes {
    case .idle: content.secondaryText = nil
    case .loading: content.secondaryText = "…"
    case .loaded(let bytes): content.secondaryText = "\(bytes.count) bytes"
    case .failed(let failure): content.secondaryText = failure.error.description
    }
    cell.contentConfiguration = content
  }
}
