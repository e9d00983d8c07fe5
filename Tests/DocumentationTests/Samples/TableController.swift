#if canImport(UIKit)
import UIKit
#else
import Foundation
#endif
import SnippetLoading
import SnippetStorage
import SnippetUIKit

final class SnippetsController: SnippetTableController {
  init(showing list: SnippetList, of store: SnippetStore) {
    super.init(SnippetDataSource(list: list, store: store))
    for kind in SnippetKind.allCases { dataSource.register(TableCellPresenter.init, for: kind) }
  }

  required init?(coder: NSCoder) { nil }
}

final class TableCellPresenter: ContentPresenter {
  let recipe = TypedRecipe<Data>.original
  private var content = UIListContentConfiguration.cell()

  func update(_ field: SnippetField, of row: SnippetRow, in cell: UITableViewCell) {
    if field == .title { content.text = row.title.isEmpty ? "Untitled" : row.title }
    cell.contentConfiguration = content
  }

  func show(_ bytes: LoadState<Data>, in cell: UITableViewCell) {
    switch bytes {
    case .idle: content.secondaryText = nil
    case .loading: content.secondaryText = "…"
    case .loaded(let bytes): content.secondaryText = "\(bytes.count) bytes"
    case .failed(let error): content.secondaryText = error.cause
    }
    cell.contentConfiguration = content
  }
}
