import Foundation
import SnippetLoading
import SnippetStorage

#if canImport(UIKit)
import UIKit
#endif

final class GridController: UIViewController {
  let dataSource: SnippetDataSource

  init(showing list: SnippetList, of store: SnippetStore) {
    dataSource = SnippetDataSource(list: list, store: store)
    super.init()
    for kind in SnippetKind.allCases { dataSource.register(GridCellPresenter.init, for: kind) }
  }

  required init?(coder: NSCoder) { nil }
}

final class GridCellPresenter: CellPresenter {
  func update(_ field: SnippetField, of row: SnippetRow, in cell: UICollectionViewCell) {
    guard field == .title else { return }
    var content = UIListContentConfiguration.cell()
    content.text = row.title
    cell.contentConfiguration = content
  }
}

extension GridController: UICollectionViewDataSource {
  func collectionView(_ grid: UICollectionView, numberOfItemsInSection section: Int) -> Int {
    dataSource.count
  }

  func collectionView(
    _ grid: UICollectionView,
    cellForItemAt path: IndexPath
  ) -> UICollectionViewCell {
    guard let identifier = dataSource.reuseIdentifier(at: path.item)?.description else {
      return UICollectionViewCell()
    }
    let cell = grid.dequeueReusableCell(withReuseIdentifier: identifier, for: path)
    dataSource.present(path.item, in: cell)
    return cell
  }
}

extension GridController: UICollectionViewDelegate {
  func collectionView(
    _ grid: UICollectionView,
    willDisplay cell: UICollectionViewCell,
    forItemAt path: IndexPath
  ) {
    dataSource.willDisplay(cell, at: path.item)
  }

  func collectionView(
    _ grid: UICollectionView,
    didEndDisplaying cell: UICollectionViewCell,
    forItemAt path: IndexPath
  ) {
    dataSource.didEndDisplaying(cell)
  }

  func scrollViewDidScroll(_ grid: UIScrollView) {
    guard let grid = grid as? UICollectionView else { return }
    let items = grid.indexPathsForVisibleItems.map(\.item).sorted()
    guard let first = items.first, let last = items.last else { return }
    dataSource.viewportDidChange(first..<last + 1)
  }
}

extension GridController: UICollectionViewDataSourcePrefetching {
  func collectionView(_ grid: UICollectionView, prefetchItemsAt paths: [IndexPath]) {
    dataSource.prefetch(paths.map(\.item))
  }

  func collectionView(_ grid: UICollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) {
    dataSource.cancelPrefetching(paths.map(\.item))
  }
}
