#if !canImport(UIKit)
import Foundation

/// The calls of UIKit that the samples make, declared as its documentation does, for systems without
/// it. Tables and grids do what a sample's test needs: they show the rows that they have room for.

@MainActor class UIView {
  func layoutIfNeeded() {}
}

@MainActor class UIViewController {
  init() {}
  required init?(coder: NSCoder) {}
  func viewDidLoad() {}
  func viewDidLayoutSubviews() {}
  func viewWillAppear(_ animated: Bool) {}
  func viewDidDisappear(_ animated: Bool) {}
}

struct UIListContentConfiguration: UIContentConfiguration {
  var text: String?
  var secondaryText: String?

  static func cell() -> Self { Self() }
}

protocol UIContentConfiguration {}

class UIScrollView: UIView {
  var contentOffset = CGPoint.zero
}

@MainActor protocol UIScrollViewDelegate: AnyObject {
  func scrollViewDidScroll(_ scrollView: UIScrollView)
}

extension IndexPath {
  init(row: Int, section: Int) { self = [section, row] }
  init(item: Int, section: Int) { self = [section, item] }
  var row: Int { self[1] }
  var item: Int { self[1] }
}

// MARK: - Tables

class UITableViewCell: UIView {
  enum CellStyle { case `default` }

  var contentConfiguration: (any UIContentConfiguration)?

  required init(style: CellStyle = .default, reuseIdentifier: String? = nil) {}
}

class UITableView: UIScrollView {
  enum Style { case plain }
  enum RowAnimation { case automatic }

  weak var controller: UITableViewController?
  var rowHeight: CGFloat = 44
  /// The rows that there is room for, and the cells that show them.
  var visibleRowCount = 12
  private(set) var cells: [Int: UITableViewCell] = [:]
  /// How many rows it knows of: it does not ask again until it is told.
  private var rowCount: Int?
  private var deleted: [Int] = []
  private var inserted: [Int] = []
  private var moved: [(from: Int, to: Int)] = []
  private var types: [String: UITableViewCell.Type] = [:]
  private var unused: [String: [UITableViewCell]] = [:]
  private var identifiers: [ObjectIdentifier: String] = [:]

  var indexPathsForVisibleRows: [IndexPath]? {
    cells.keys.sorted().map { IndexPath(row: $0, section: 0) }
  }

  func register(_ type: AnyClass?, forCellReuseIdentifier identifier: String) {
    types[identifier] = type as? UITableViewCell.Type
  }

  func dequeueReusableCell(withIdentifier name: String, for path: IndexPath) -> UITableViewCell {
    if let cell = unused[name]?.popLast() { return cell }
    let type = types[name] ?? UITableViewCell.self
    let cell = type.init(style: .default, reuseIdentifier: name)
    identifiers[ObjectIdentifier(cell)] = name
    return cell
  }

  func reloadData() {
    for row in cells.keys { endDisplaying(row) }
    rowCount = nil
    layoutIfNeeded()
  }

  func performBatchUpdates(_ updates: () -> Void) {
    layoutIfNeeded()
    (deleted, inserted, moved) = ([], [], [])
    updates()
    let former = rowCount ?? 0
    rowCount = controller?.tableView(self, numberOfRowsInSection: 0)
    // UIKit ends the app where this does not hold.
    precondition(rowCount == former - deleted.count + inserted.count)
    let gone = Set(deleted + moved.map(\.from))
    let places = Set(inserted + moved.map(\.to))
    precondition(gone.count == deleted.count + moved.count)
    precondition(places.count == inserted.count + moved.count)
    precondition(gone.allSatisfy((0..<former).contains))
    precondition(places.allSatisfy((0..<(rowCount ?? 0)).contains))
    let shown = cells
    let free = (0..<(rowCount ?? 0)).filter { !places.contains($0) }
    let staying = (0..<former).filter { !gone.contains($0) }
    for row in deleted where shown[row] != nil { endDisplaying(row) }
    cells = [:]
    for (old, new) in zip(staying, free) { cells[new] = shown[old] }
    for move in moved { cells[move.to] = shown[move.from] }
    layoutIfNeeded()
  }

  func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
    deleted += paths.map(\.row)
  }

  func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
    inserted += paths.map(\.row)
  }

  func moveRow(at path: IndexPath, to newPath: IndexPath) {
    moved.append((path.row, newPath.row))
  }

  override func layoutIfNeeded() {
    guard let controller else { return }
    let count = rowCount ?? controller.tableView(self, numberOfRowsInSection: 0)
    rowCount = count
    let first = min(max(0, Int(contentOffset.y / rowHeight)), max(0, count - 1))
    let visible = first..<min(count, first + visibleRowCount)
    for row in cells.keys where !visible.contains(row) { endDisplaying(row) }
    for row in visible where cells[row] == nil {
      let path = IndexPath(row: row, section: 0)
      let cell = controller.tableView(self, cellForRowAt: path)
      cells[row] = cell
      controller.tableView(self, willDisplay: cell, forRowAt: path)
    }
    controller.viewDidLayoutSubviews()
  }

  private func endDisplaying(_ row: Int) {
    guard let cell = cells.removeValue(forKey: row) else { return }
    let path = IndexPath(row: row, section: 0)
    controller?.tableView(self, didEndDisplaying: cell, forRowAt: path)
    if let name = identifiers[ObjectIdentifier(cell)] { unused[name, default: []].append(cell) }
  }
}

class UITableViewController: UIViewController, UIScrollViewDelegate {
  let tableView = UITableView()

  init(style: UITableView.Style) {
    super.init()
    tableView.controller = self
  }

  required init?(coder: NSCoder) { super.init(coder: coder) }

  func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  func tableView(_ tableView: UITableView, cellForRowAt indexPath: IndexPath) -> UITableViewCell {
    UITableViewCell(style: .default, reuseIdentifier: nil)
  }
  func tableView(
    _ tableView: UITableView,
    willDisplay cell: UITableViewCell,
    forRowAt indexPath: IndexPath
  ) {}
  func tableView(
    _ tableView: UITableView,
    didEndDisplaying cell: UITableViewCell,
    forRowAt indexPath: IndexPath
  ) {}
  func scrollViewDidScroll(_ scrollView: UIScrollView) {}
}

// MARK: - Grids

class UICollectionViewCell: UIView {
  var contentConfiguration: (any UIContentConfiguration)?
}

class UICollectionView: UIScrollView {
  var indexPathsForVisibleItems: [IndexPath] = []

  func register(_ type: AnyClass?, forCellWithReuseIdentifier identifier: String) {}
  func dequeueReusableCell(
    withReuseIdentifier identifier: String,
    for indexPath: IndexPath
  ) -> UICollectionViewCell {
    UICollectionViewCell()
  }
  func reloadData() {}
}

@MainActor protocol UICollectionViewDataSource: AnyObject {
  func collectionView(_ view: UICollectionView, numberOfItemsInSection section: Int) -> Int
  func collectionView(
    _ view: UICollectionView,
    cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell
}

@MainActor protocol UICollectionViewDelegate: UIScrollViewDelegate {
  func collectionView(
    _ view: UICollectionView,
    willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  )
  func collectionView(
    _ view: UICollectionView,
    didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  )
}

@MainActor protocol UICollectionViewDataSourcePrefetching: AnyObject {
  func collectionView(_ view: UICollectionView, prefetchItemsAt indexPaths: [IndexPath])
  func collectionView(
    _ view: UICollectionView,
    cancelPrefetchingForItemsAt indexPaths: [IndexPath]
  )
}
#endif
