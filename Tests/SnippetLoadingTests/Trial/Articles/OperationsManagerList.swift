/// “Make your UIViewController Awesynchronous!”: a manager keeps an operation for each index path.
///
/// The article shows the interfaces of operation and manager, and tells what they do; the bodies
/// are written after its words.
@MainActor
final class OperationsManagerList: ArticleList {
  let stage: TrialStage
  private let manager = TableOperationsManager()

  init(_ stage: TrialStage) {
    self.stage = stage
    bindToTableOperationsManager()
  }

  private func bindToTableOperationsManager() {
    // As in the article, the block holds the coordinator, which holds the manager.
    manager.didGetDataForCell = { position, image in
      self.stage.screen.cell(at: position)?.content = .picture(image)
    }
  }

  // The data source’s tableView:cellForRowAtIndexPath:
  func configure(_ cell: TrialCell, at position: Int) {
    let data = stage.model.rows[position]
    cell.title = data.title
    cell.content = .nothing
    manager.addOperationIfNeeded(TableOperation(data, on: stage), position)
    manager.getDataForCell(at: position)
  }

  // reloadData:
  func willReload() {
    bindToTableOperationsManager()
    manager.invalidate()
  }

  var keptCount: Int { manager.operations.values.count { $0.value != nil } }
}

@MainActor
private final class TableOperation {
  private(set) var value: TrialPicture?
  private let data: TrialItem
  private let stage: TrialStage
  private var isRunning = false
  private var callbacks: [@MainActor (TrialPicture) -> Void] = []

  init(_ data: TrialItem, on stage: TrialStage) {
    self.data = data
    self.stage = stage
  }

  func execute(then callback: @escaping @MainActor (TrialPicture) -> Void) {
    let turns = stage.turns
    if let value { return turns.post { callback(value) } }
    callbacks.append(callback)
    guard !isRunning else { return }
    isRunning = true
    stage.queue.load(data.picture) { answer in
      self.isRunning = false
      // Failures reach nobody: the manager has a block for values only.
      guard case .picture(let image) = answer else { return }
      self.value = image
      for callback in self.callbacks { turns.post { callback(image) } }
      self.callbacks = []
    }
  }
}

@MainActor
private final class TableOperationsManager {
  private(set) var operations: [Int: TableOperation] = [:]
  var didGetDataForCell: (@MainActor (Int, TrialPicture) -> Void)?

  func addOperationIfNeeded(_ operation: TableOperation, _ position: Int) {
    if operations[position] == nil { operations[position] = operation }
  }

  func getDataForCell(at position: Int) {
    operations[position]?.execute { [weak self] value in
      self?.didGetDataForCell?(position, value)
    }
  }

  func invalidate() { operations = [:] }
}
