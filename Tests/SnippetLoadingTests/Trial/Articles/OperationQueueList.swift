/// “Asynchronous Image Loading for UITableViewCells”: loads are operations, which are cancelled
/// when their cells leave the screen.
///
/// The calls by names that the article never declares go to the methods that it means.
@MainActor
final class OperationQueueList: ArticleList {
  let stage: TrialStage
  /// The property of each cell that refers to its operation.
  private var operations: [ObjectIdentifier: WeakOperation] = [:]

  private struct WeakOperation {
    weak var operation: TrialQueue.Job?
  }

  init(_ stage: TrialStage) {
    self.stage = stage
  }

  // tableView:cellForRowAtIndexPath:
  func configure(_ cell: TrialCell, at position: Int) {
    let table = stage.screen
    load(stage.model.rows[position], for: cell) { table.cell(at: position) }
  }

  // loadPhotoDataForCell:withPhotoInstance:queue:
  private func load(
    _ photo: TrialItem,
    for cell: TrialCell,
    currentCell: @escaping @MainActor () -> TrialCell?
  ) {
    cell.title = photo.title
    let turns = stage.turns
    let operation = stage.queue.load(photo.picture) { answer in
      turns.post {
        let originalCell = currentCell()
        // No data make no image.
        originalCell?.content =
          if case .picture(let picture) = answer { .picture(picture) } else { .nothing }
      }
    }
    operations[ObjectIdentifier(cell)] = WeakOperation(operation: operation)
    cell.content = .placeholder(failedCount: 0)
  }

  // tableView:didEndDisplayingCell:forRowAtIndexPath:
  func didEndDisplaying(_ cell: TrialCell, at position: Int) {
    guard let currentCell = stage.screen.cell(at: position) else { return }
    // cancelDownload
    operations[ObjectIdentifier(currentCell)]?.operation?.isCancelled = true
  }

  // viewWillDisappear:
  func screenWillDisappear() {
    stage.queue.cancelAll()
  }
}
