internal import SnippetStorage

/// A view and its presenter, as the loader sees them.
@MainActor
protocol PresentedView: SnippetCell {
  /// Whether the presenter has a type.
  func isPresented(by type: any CellPresenter.Type) -> Bool

  /// The recipe of the content that the presenter shows; `nil` if it shows content of any recipe.
  var contentRecipe: Recipe? { get }
}

/// Passes calls of the loader on to a presenter, as long as its view lives.
@MainActor
final class PresentedCell<Presenter: CellPresenter>: PresentedView {
  private weak var view: Presenter.View?
  private let presenter: Presenter

  init(_ view: Presenter.View, _ presenter: Presenter, sender: CommandSender) {
    self.view = view
    self.presenter = presenter
    presenter.connect(view, to: sender)
  }

  func isPresented(by type: any CellPresenter.Type) -> Bool { type == Presenter.self }

  var contentRecipe: Recipe? { (presenter as? any ContentPresenter)?.untypedRecipe }

  func show(_ row: SnippetRow, changing fields: SnippetFields) {
    if let view { presenter.show(row, changing: fields, in: view) }
  }

  func show(_ state: LoadState, of recipe: Recipe) {
    if let view { presenter.show(state, of: recipe, in: view) }
  }

  func prepareForReuse() {
    if let view { presenter.prepareForReuse(view) }
  }
}
