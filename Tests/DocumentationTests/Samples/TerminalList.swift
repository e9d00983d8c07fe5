import SnippetLoading
import SnippetStorage

@MainActor final class TerminalList {
  private let dataSource: SnippetDataSource
  private let lines: [Line]
  private(set) var first = 0

  init(store: SnippetStore, height: Int) {
    dataSource = SnippetDataSource(list: store.list(), store: store)
    lines = (0..<height).map { _ in Line() }
    for kind in SnippetKind.allCases { dataSource.register(LinePresenter.self, for: kind) }
    dataSource.changeHandler = { [weak self] change in
      self.map { $0.scroll(to: $0.first + change.displacement) }
    }
  }

  func scroll(to position: Int) {
    first = max(0, min(position, dataSource.count - lines.count))
    let visible = first..<min(dataSource.count, first + lines.count)
    dataSource.viewportDidChange(visible)
    for (line, position) in zip(lines, visible) { dataSource.present(position, in: line) }
    for line in lines.dropFirst(visible.count) { dataSource.didEndDisplaying(line) }
  }

  var picture: String { lines.map { "\($0.title) \($0.size)" }.joined(separator: "\n") }
  func settled() async { await dataSource.loader.settled() }
}

final class Line { var (title, size) = ("", "") }

final class LinePresenter: CellPresenter {
  private weak var line: Line?
  init(_ line: Line, sender: CommandSender) { self.line = line }
  func update(_ field: SnippetField, of row: SnippetRow) {
    if field == .title { line?.title = row.title.isEmpty ? row.preview : row.title }
  }
  func show(_ state: LoadState, of recipe: Recipe) {
    switch state {
    case .idle: line?.size = ""
    case .loading: line?.size = "…"
    case .loaded(let blob): line?.size = "\(blob.bytes.count) bytes"
    case .failed(let failure): line?.size = failure.error.description
    }
  }
  func prepareForReuse() { line.map { ($0.title, $0.size) = ("", "") } }
}
