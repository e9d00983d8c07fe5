import Foundation
import SnippetLoading
import SnippetStorage
import SnippetUIKit

#if canImport(UIKit)
import UIKit
#endif

final class GridCellPresenter: CellPresenter {
  func update(_ field: SnippetField, of row: SnippetRow, in cell: UICollectionViewCell) {
    guard field == .title else { return }
    var content = UIListContentConfiguration.cell()
    content.text = row.title.isEmpty ? "Untitled" : row.title
    cell.contentConfiguration = content
  }
}

@MainActor func makeGrid(
  of store: SnippetStore,
  layout: UICollectionViewLayout
) -> SnippetCollectionController {
  let dataSource = SnippetDataSource(list: store.list(), store: store)
  for kind in SnippetKind.allCases { dataSource.register(GridCellPresenter.init, for: kind) }
  return SnippetCollectionController(dataSource, layout: layout)
}
