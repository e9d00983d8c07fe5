// UIKit documents them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
#if !canImport(UIKit)
public import Foundation

/// The calls of UIKit that are made here, declared as its documentation does, for systems without
/// it. Tables and grids do what a test needs: they show the rows that they have room for.

@MainActor open class UIView {
  public init() {}
  open func layoutIfNeeded() {}
}

@MainActor open class UIViewController {
  public init() {}
  public required init?(coder: NSCoder) {}
  open func viewDidLoad() {}
  open func viewDidLayoutSubviews() {}
  open func viewWillAppear(_ animated: Bool) {}
  open func viewDidDisappear(_ animated: Bool) {}
}

struct UIListContentConfiguration: UIContentConfiguration {
  var text: String?
  var secondaryText: String?

  static func cell() -> Self { Self() }
}

protocol UIContentConfiguration {}

open class UIScrollView: UIView {
  open var contentOffset = CGPoint.zero
}

extension IndexPath {
  public init(row: Int, section: Int) { self = [section, row] }
  public init(item: Int, section: Int) { self = [section, item] }
  public var row: Int { self[1] }
  public var item: Int { self[1] }
}

/// The cells on screen, with what a batch of changes does to them.
@MainActor
struct CellsOnScreen<Cell: AnyObject> {
  private(set) var cells: [Int: Cell] = [:]
  var deleted: [Int] = []
  var inserted: [Int] = []
  var moved: [(from: Int, to: Int)] = []
  /// How many rows it knows of: it does not ask again until it is told.
  var count: Int?
  private var unused: [String: [Cell]] = [:]
  private var names: [ObjectIdentifier: String] = [:]

  subscript(position: Int) -> Cell? { cells[position] }

  mutating func dequeue(_ name: String) -> Cell? { unused[name]?.popLast() }

  mutating func note(_ cell: Cell, as name: String) { names[ObjectIdentifier(cell)] = name }

  mutating func place(_ cell: Cell, at position: Int) { cells[position] = cell }

  mutating func remove(at position: Int) -> Cell? { cells.removeValue(forKey: position) }

  mutating func recycle(_ cell: Cell) {
    if let name = names[ObjectIdentifier(cell)] { unused[name, default: []].append(cell) }
  }

  /// Ends the process where UIKit would: when the changes do not lead from one count to the other.
  ///
  /// - Returns: The cells whose rows are gone.
  mutating func apply(newCount: Int) -> [(position: Int, cell: Cell)] {
    let former = count ?? 0
    count = newCount
    precondition(newCount == former - deleted.count + inserted.count)
    let gone = Set(deleted + moved.map(\.from))
    let places = Set(inserted + moved.map(\.to))
    precondition(gone.count == deleted.count + moved.count)
    precondition(places.count == inserted.count + moved.count)
    precondition(gone.allSatisfy((0..<former).contains))
    precondition(places.allSatisfy((0..<newCount).contains))
    let shown = cells
    let free = (0..<newCount).filter { !places.contains($0) }
    let staying = (0..<former).filter { !gone.contains($0) }
    cells = [:]
    for (old, new) in zip(staying, free) { cells[new] = shown[old] }
    for move in moved { cells[move.to] = shown[move.from] }
    return deleted.compactMap { position in shown[position].map { (position, $0) } }
  }
}

// MARK: - Tables

open class UITableViewCell: UIView {
  public enum CellStyle { case `default` }

  var contentConfiguration: (any UIContentConfiguration)?

  public required init(style: CellStyle = .default, reuseIdentifier: String? = nil) {}
}

open class UITableView: UIScrollView {
  public enum Style { case plain }
  public enum RowAnimation { case automatic }

  weak var controller: UITableViewController?
  var rowHeight: CGFloat = 44
  /// How many rows there is room for.
  var visibleRowCount = 12
  private(set) var cells = CellsOnScreen<UITableViewCell>()
  private var types: [String: UITableViewCell.Type] = [:]

  public var indexPathsForVisibleRows: [IndexPath]? {
    cells.cells.keys.sorted().map { IndexPath(row: $0, section: 0) }
  }

  public func register(_ type: AnyClass?, forCellReuseIdentifier identifier: String) {
    types[identifier] = type as? UITableViewCell.Type
  }

  public func dequeueReusableCell(
    withIdentifier name: String,
    for path: IndexPath
  ) -> UITableViewCell {
    if let cell = cells.dequeue(name) { return cell }
    guard let type = types[name] else { preconditionFailure("no cell is registered as \(name)") }
    let cell = type.init(style: .default, reuseIdentifier: name)
    cells.note(cell, as: name)
    return cell
  }

  public func reloadData() {
    for row in cells.cells.keys.sorted() { endDisplaying(row) }
    cells.count = nil
    layoutIfNeeded()
  }

  public func performBatchUpdates(_ updates: () -> Void) {
    layoutIfNeeded()
    (cells.deleted, cells.inserted, cells.moved) = ([], [], [])
    updates()
    guard let controller else { return }
    for (row, cell) in cells.apply(newCount: controller.tableView(self, numberOfRowsInSection: 0)) {
      endDisplaying(cell, row)
    }
    layoutIfNeeded()
  }

  public func deleteRows(at paths: [IndexPath], with animation: RowAnimation) {
    cells.deleted += paths.map(\.row)
  }

  public func insertRows(at paths: [IndexPath], with animation: RowAnimation) {
    cells.inserted += paths.map(\.row)
  }

  public func moveRow(at path: IndexPath, to newPath: IndexPath) {
    cells.moved.append((path.row, newPath.row))
  }

  public func rectForRow(at path: IndexPath) -> CGRect {
    CGRect(x: 0, y: CGFloat(path.row) * rowHeight, width: 320, height: rowHeight)
  }

  open override func layoutIfNeeded() {
    guard let controller else { return }
    let count = cells.count ?? controller.tableView(self, numberOfRowsInSection: 0)
    cells.count = count
    let first = min(max(0, Int(contentOffset.y / rowHeight)), max(0, count - 1))
    let visible = first..<min(count, first + visibleRowCount)
    for row in cells.cells.keys.sorted() where !visible.contains(row) { endDisplaying(row) }
    for row in visible where cells[row] == nil {
      let path = IndexPath(row: row, section: 0)
      let cell = controller.tableView(self, cellForRowAt: path)
      cells.place(cell, at: row)
      controller.tableView(self, willDisplay: cell, forRowAt: path)
    }
    controller.viewDidLayoutSubviews()
  }

  private func endDisplaying(_ row: Int) {
    if let cell = cells.remove(at: row) { endDisplaying(cell, row) }
  }

  private func endDisplaying(_ cell: UITableViewCell, _ row: Int) {
    let path = IndexPath(row: row, section: 0)
    controller?.tableView(self, didEndDisplaying: cell, forRowAt: path)
    cells.recycle(cell)
  }
}

open class UITableViewController: UIViewController {
  public let tableView = UITableView()

  public init(style: UITableView.Style) {
    super.init()
    tableView.controller = self
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  open func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 0 }
  open func tableView(
    _ tableView: UITableView,
    cellForRowAt indexPath: IndexPath
  ) -> UITableViewCell {
    UITableViewCell(style: .default, reuseIdentifier: nil)
  }
  open func tableView(
    _ tableView: UITableView,
    willDisplay cell: UITableViewCell,
    forRowAt indexPath: IndexPath
  ) {}
  open func tableView(
    _ tableView: UITableView,
    didEndDisplaying cell: UITableViewCell,
    forRowAt indexPath: IndexPath
  ) {}
}

// MARK: - Grids

open class UICollectionViewCell: UIView {
  var contentConfiguration: (any UIContentConfiguration)?

  public required override init() {}
}

@MainActor open class UICollectionViewLayout {
  public init() {}
}

open class UICollectionViewLayoutAttributes {
  public var frame = CGRect.zero
}

/// Three cells in a row, each as high as it is wide, in a column that scrolls.
open class UICollectionView: UIScrollView {
  static let columnCount = 3
  static let side: CGFloat = 100

  weak var controller: UICollectionViewController?
  /// How many rows of cells there is room for.
  var visibleRowCount = 4
  private(set) var cells = CellsOnScreen<UICollectionViewCell>()
  private var types: [String: UICollectionViewCell.Type] = [:]

  /// In no order, as in UIKit.
  public var indexPathsForVisibleItems: [IndexPath] {
    cells.cells.keys.sorted(by: >).map { IndexPath(item: $0, section: 0) }
  }

  public func register(_ type: AnyClass?, forCellWithReuseIdentifier identifier: String) {
    types[identifier] = type as? UICollectionViewCell.Type
  }

  public func dequeueReusableCell(
    withReuseIdentifier name: String,
    for indexPath: IndexPath
  ) -> UICollectionViewCell {
    if let cell = cells.dequeue(name) { return cell }
    guard let type = types[name] else { preconditionFailure("no cell is registered as \(name)") }
    let cell = type.init()
    cells.note(cell, as: name)
    return cell
  }

  public func reloadData() {
    for item in cells.cells.keys.sorted() { endDisplaying(item) }
    cells.count = nil
    layoutIfNeeded()
  }

  public func performBatchUpdates(_ updates: () -> Void) {
    layoutIfNeeded()
    (cells.deleted, cells.inserted, cells.moved) = ([], [], [])
    updates()
    guard let controller else { return }
    let count = controller.collectionView(self, numberOfItemsInSection: 0)
    for (item, cell) in cells.apply(newCount: count) { endDisplaying(cell, item) }
    layoutIfNeeded()
  }

  public func deleteItems(at paths: [IndexPath]) { cells.deleted += paths.map(\.item) }

  public func insertItems(at paths: [IndexPath]) { cells.inserted += paths.map(\.item) }

  public func moveItem(at path: IndexPath, to newPath: IndexPath) {
    cells.moved.append((path.item, newPath.item))
  }

  public func layoutAttributesForItem(at path: IndexPath) -> UICollectionViewLayoutAttributes? {
    let attributes = UICollectionViewLayoutAttributes()
    attributes.frame = CGRect(
      x: CGFloat(path.item % Self.columnCount) * Self.side,
      y: CGFloat(path.item / Self.columnCount) * Self.side,
      width: Self.side,
      height: Self.side
    )
    return attributes
  }

  open override func layoutIfNeeded() {
    guard let controller else { return }
    let count = cells.count ?? controller.collectionView(self, numberOfItemsInSection: 0)
    cells.count = count
    let row = max(0, Int(contentOffset.y / Self.side))
    let first = min(row * Self.columnCount, max(0, count - 1))
    let visible = first..<min(count, first + visibleRowCount * Self.columnCount)
    for item in cells.cells.keys.sorted() where !visible.contains(item) { endDisplaying(item) }
    for item in visible where cells[item] == nil {
      let path = IndexPath(item: item, section: 0)
      let cell = controller.collectionView(self, cellForItemAt: path)
      cells.place(cell, at: item)
      controller.collectionView(self, willDisplay: cell, forItemAt: path)
    }
    controller.viewDidLayoutSubviews()
  }

  private func endDisplaying(_ item: Int) {
    if let cell = cells.remove(at: item) { endDisplaying(cell, item) }
  }

  private func endDisplaying(_ cell: UICollectionViewCell, _ item: Int) {
    let path = IndexPath(item: item, section: 0)
    controller?.collectionView(self, didEndDisplaying: cell, forItemAt: path)
    cells.recycle(cell)
  }
}

open class UICollectionViewController: UIViewController {
  public let collectionView = UICollectionView()

  public init(collectionViewLayout layout: UICollectionViewLayout) {
    super.init()
    collectionView.controller = self
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  open func collectionView(
    _ collectionView: UICollectionView,
    numberOfItemsInSection section: Int
  ) -> Int { 0 }
  open func collectionView(
    _ collectionView: UICollectionView,
    cellForItemAt indexPath: IndexPath
  ) -> UICollectionViewCell {
    UICollectionViewCell()
  }
  open func collectionView(
    _ collectionView: UICollectionView,
    willDisplay cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {}
  open func collectionView(
    _ collectionView: UICollectionView,
    didEndDisplaying cell: UICollectionViewCell,
    forItemAt indexPath: IndexPath
  ) {}
}
#endif
