/// “The Cell Presenter”: a data source with a copy of the model and a presenter for each cell.
@MainActor
final class CellPresenterList: ArticleList {
  let stage: TrialStage
  /// The interactor’s own array, which was copied when it was made.
  private let model: [TrialItem]
  private let cellPresenterCache: CellPresenterCache

  init(_ stage: TrialStage) {
    self.stage = stage
    model = stage.model.rows
    cellPresenterCache = CellPresenterCache(stage.turns)
  }

  /// The unqualified name of the type, as `String(describing: self)` is.
  func identifier(for kind: TrialItem.Kind) -> String { String(describing: kind.cellType) }
  func identifier(of cell: TrialCell) -> String? { String(describing: type(of: cell)) }

  // tableView(_:cellForRowAt:)
  func configure(_ cell: TrialCell, at position: Int) {
    guard model.indices.contains(position) else { return }
    cellPresenterCache.bind(view: cell, to: model[position])
  }
}

@MainActor
private final class CellPresenterCache {
  private let turns: TrialTurns
  /// Keyed by the cells, and so with the cells in it.
  private var presenters: [ObjectIdentifier: (view: TrialCell, presenter: PersonCellPresenter)] =
    [:]

  init(_ turns: TrialTurns) {
    self.turns = turns
  }

  func bind(view: TrialCell, to item: TrialItem) {
    guard let (_, presenter) = presenters[ObjectIdentifier(view)] else {
      let presenter = PersonCellPresenter(with: view, for: item, turns)
      presenters[ObjectIdentifier(view)] = (view, presenter)
      return
    }
    presenter.model = item
  }
}

@MainActor
private final class PersonCellPresenter {
  // The observer does not run for the value that the initializer sets.
  var model: TrialItem { didSet { updateView() } }
  private let view: TrialCell
  private let turns: TrialTurns

  init(with view: TrialCell, for model: TrialItem, _ turns: TrialTurns) {
    self.view = view
    self.model = model
    self.turns = turns
  }

  private func updateView() {
    model.propertyChanged.append(propertyChangeClosure)
    view.tapClosure = { self.model.edit(toOther: true) }
    turns.post { self.view.title = self.model.title }
  }

  private lazy var propertyChangeClosure: @MainActor (TrialItem) -> Void = { person in
    self.turns.post { self.view.title = person.title }
  }
}
