/// “UITableViewCell subclasses and async loading”: the cell loads, and asks the table for the cell
/// of its index path when the load is done.
///
/// The global queue has a bound where a schedule needs one worker only; it has none of its own.
@MainActor
final class CellSubclassesList: ArticleList {
  let stage: TrialStage

  init(_ stage: TrialStage) {
    self.stage = stage
  }

  // tableView:cellForRowAtIndexPath:
  func configure(_ cell: TrialCell, at position: Int) {
    let snippet = stage.model.rows[position]
    let table = stage.screen
    cell.set(snippet, loadingOn: stage) { table.cell(at: position) }
  }
}

extension TrialCell {
  // setSnippet:asyncUpdateOriginalCell:
  fileprivate func set(
    _ snippet: TrialItem,
    loadingOn stage: TrialStage,
    asyncUpdateOriginalCell currentCell: @escaping @MainActor () -> TrialCell?
  ) {
    title = snippet.title
    guard snippet.kind == .photo else { return }
    content = .nothing
    let turns = stage.turns
    stage.queue.load(snippet.picture) { answer in
      turns.post {
        let originalCell = currentCell()
        originalCell?.showImage(answer)
      }
    }
  }

  /// An image that could not be loaded is `nil`, and shown as such.
  fileprivate func showImage(_ answer: TrialAnswer) {
    content = if case .picture(let picture) = answer { .picture(picture) } else { .nothing }
  }
}
