import Foundation
import SnippetLoading
import SnippetStorage

@MainActor final class TerminalList {
  private let dataSource: SnippetDataSource
  private let lines: [Line]
  private(set) var first = 0

  init(store: SnippetStore, height: Int) {
    dataSource = SnippetDataSource(list: store.list(), store: store)
    lines = (0..<height).map { _ in Line() }
    for kind in SnippetKind.allCases { dataSource.register(LinePresenter.init, for: kind) }
    dataSource.changeHandler = { [weak self] change in
      self.map { $0.scroll(to: $0.first + change.displacement) }
    }
  }

  func scroll(to position: Int) {
    first = max(0, min(position, dataSource.count - lines.count))
    let visible = first..<min(dataSource.count, first + lines.count)
    dataSource.show(visible: visible)
    for (line, position) in zip(lines, visible) { dataSource.present(position, in: line) }
    for line in lines.dropFirst(visible.count) { dataSource.didEndDisplaying(line) }
  }

  var picture: String { lines.map { "\($0.title) \($0.size)" }.joined(separator: "\n") }
  func settled() async { await dataSource.loader.settled() }
}

final class Line { var (title, size) = ("", "") }

final class LinePresenter: ContentPresenter {
  let recipe = TypedRecipe<Data>.original
  func update(_ field: SnippetField, of row: SnippetRow, in line: Line) {
    guard field == .title || field == .preview else { return }
    line.title = row.title.isEmpty ? row.preview : row.title
  }
  func show(_ bytes: LoadState<Data>, in line: Line) {
    switch bytes {
    case .idle: line.size = ""
    case .loading: line.size = "…"
    case .loaded(let bytes): line.size = "\(bytes.count) bytes"
    case .failed(let error): line.size = error.cause
    }
  }
}
