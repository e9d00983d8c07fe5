internal import SnippetStorage

/// The presenters and types of view that are registered for rows.
@MainActor
struct PresenterRegistry {
  /// The presenter and view for some rows of one kind.
  @MainActor
  struct Registration {
    let viewType: AnyObject.Type
    /// The name of the view's type, made once.
    let identifier: String
    let designedHeight: Double?
    /// Selects rows of the kind; `nil` for all.
    let condition: (@Sendable (SnippetRow) -> Bool)?
    /// Makes the presenter of a view; `nil` for a view of another type.
    let present: @MainActor (AnyObject, EditSender) -> (any PresentedView)?
    let isMade: @MainActor (any PresentedView) -> Bool
    let fits: @MainActor (AnyObject) -> Bool

    init<Presenter: CellPresenter>(
      _ make: @escaping @MainActor () -> Presenter,
      where condition: (@Sendable (SnippetRow) -> Bool)?
    ) {
      viewType = Presenter.View.self
      identifier = String(reflecting: Presenter.View.self)
      designedHeight = Presenter.designedHeight
      self.condition = condition
      present = { view, sender in
        (view as? Presenter.View).map { PresentedCell($0, make(), sender: sender) }
      }
      isMade = { $0.isPresented(by: Presenter.self) }
      fits = { $0 is Presenter.View }
    }
  }

  /// The view of each kind of row, as a value that any thread can compare rows by.
  private struct Choice: Sendable {
    let viewType: AnyObject.Type
    let condition: (@Sendable (SnippetRow) -> Bool)?
  }

  private var registrations: [SnippetKind: [Registration]] = [:]

  /// Registers a presenter for rows of a kind.
  ///
  /// Those with a condition are asked first, in the order of registration.
  mutating func insert(_ registration: Registration, for kind: SnippetKind) {
    let others = registrations[kind, default: []]
    let conditional = others.filter { $0.condition != nil }
    let rest = others.filter { $0.condition == nil }
    registrations[kind] =
      registration.condition == nil
      ? conditional + [registration] : conditional + [registration] + rest
  }

  /// The presenter and view for all other rows of a kind.
  func registration(of kind: SnippetKind) -> Registration? {
    registrations[kind]?.last { $0.condition == nil }
  }

  /// The presenter and view for a row.
  func registration(of row: SnippetRow) -> Registration? {
    registrations[row.kind]?.first { $0.condition?(row) ?? true }
  }

  /// Whether the view of a row can show another row.
  var takesSameView: @Sendable (SnippetRow, SnippetRow) -> Bool {
    let choices = registrations.mapValues { registrations in
      registrations.map { Choice(viewType: $0.viewType, condition: $0.condition) }
    }
    return { former, row in
      guard former.kind == row.kind else { return false }
      guard let choices = choices[row.kind] else { return true }
      func viewType(of row: SnippetRow) -> AnyObject.Type? {
        choices.first { $0.condition?(row) ?? true }?.viewType
      }
      return viewType(of: former) == viewType(of: row)
    }
  }
}

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

  init(_ view: Presenter.View, _ presenter: Presenter, sender: EditSender) {
    self.view = view
    self.presenter = presenter
    presenter.connect(view, to: sender)
  }

  func isPresented(by type: any CellPresenter.Type) -> Bool { type == Presenter.self }

  var contentRecipe: Recipe? { (presenter as? any ContentPresenter)?.untypedRecipe }

  func show(_ row: SnippetRow, changing fields: SnippetFields) {
    if let view { presenter.show(row, changing: fields, in: view) }
  }

  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe) {
    if let view { presenter.show(state, of: recipe, in: view) }
  }

  func prepareForReuse() {
    if let view { presenter.prepareForReuse(view) }
  }
}
