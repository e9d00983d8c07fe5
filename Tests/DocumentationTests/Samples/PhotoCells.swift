import SnippetLoading
import SnippetStorage

@MainActor final class PhotoCell: SnippetCell {
  var title = ""
  var byteCount = 0

  func show(_ row: SnippetRow, changing fields: SnippetFields) { title = row.title }
  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) {
    if case .loaded(let blob) = state { byteCount = blob.bytes.count }
  }
  func prepareForReuse() { (title, byteCount) = ("", 0) }
}

@MainActor func showFirstScreen(of store: SnippetStore) async -> [PhotoCell] {
  let loader = SnippetLoader(list: store.list(), store: store)
  loader.show(visible: 0..<12)
  let cells = (0..<12).map { position in
    let cell = PhotoCell()
    loader.bind(cell, to: position)  // a blob in memory is in the cell when this returns
    return cell
  }
  await loader.settled()
  return cells
}
