import Observation
import SnippetLoading
import SnippetStorage

#if canImport(SwiftUI)
import SwiftUI
#endif

@MainActor @Observable final class ListModel {
  private(set) var count = 0
  private(set) var changeCount = 0
  @ObservationIgnored let loader: SnippetLoader
  @ObservationIgnored private var visible: Set<Int> = []

  init(showing list: SnippetList, of store: SnippetStore) {
    loader = SnippetLoader(list: list, source: store)
    loader.listChangeHandler = { [weak self] _ in self?.listDidChange() }
    count = loader.count
  }

  func show(_ row: RowModel, at position: Int) {
    visible.insert(position)
    viewportDidChange()
    loader.bind(row, to: position)
  }

  func hide(_ row: RowModel, at position: Int) {
    visible.remove(position)
    viewportDidChange()
    loader.unbind(row)
  }

  private func viewportDidChange() {
    guard let first = visible.min(), let last = visible.max() else { return }
    loader.viewportDidChange(first..<last + 1)
  }

  private func listDidChange() {
    count = loader.count
    changeCount += 1  // each row on screen binds its model again
  }
}

@MainActor @Observable final class RowModel: SnippetCell {
  private(set) var row: SnippetRow?
  private(set) var state = LoadState.idle

  func show(_ row: SnippetRow, changing fields: SnippetFields) { self.row = row }
  func show(_ state: LoadState, of recipe: Recipe) { self.state = state }
  func prepareForReuse() { (row, state) = (nil, .idle) }
}

struct RowView: View {
  let list: ListModel
  let position: Int
  @State private var model = RowModel()

  var body: some View {
    Text(model.row?.title ?? "")
      .onAppear { list.show(model, at: position) }
      .onDisappear { list.hide(model, at: position) }
      .onChange(of: list.changeCount) { list.show(model, at: position) }
  }
}

struct SnippetsView: View {
  let list: ListModel

  var body: some View {
    List(0..<list.count, id: \.self) { RowView(list: list, position: $0) }
  }
}
