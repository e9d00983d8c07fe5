public import SnippetStorage

/// A presenter of one content: a text, a picture, a waveform.
///
/// It gets typed values, and the states of that load only. The content arrives if the rules of the
/// loader want its recipe for the row; those of the library SnippetMedia want this one for texts:
///
/// ```swift
/// final class TextPresenter: ContentPresenter {
///   let recipe = TypedRecipe<String>.excerpt
///
///   func update(_ field: SnippetField, of row: SnippetRow, in view: NoteView) {
///     if field == .title { view.title = row.title }
///   }
///
///   func show(_ text: LoadState<String>, in view: NoteView) {
///     view.text = text.content ?? ""
///   }
/// }
/// ```
@MainActor
public protocol ContentPresenter: CellPresenter {
  /// The type of the content.
  associatedtype Content: Sendable

  /// The recipe of the content.
  var recipe: TypedRecipe<Content> { get }

  /// Shows the state of the content.
  ///
  /// - Parameters:
  ///   - content: The state from now on, and the content that can be shown. A reused view gets
  ///     ``LoadState/idle`` before another snippet.
  ///   - view: The view.
  func show(_ content: LoadState<Content>, in view: View)
}

extension ContentPresenter {
  /// The recipe without the type of its content.
  var untypedRecipe: Recipe { recipe.recipe }

  /// Shows the content if it has the presenter's recipe.
  ///
  /// Shows nothing for rows that need no content.
  ///
  /// - Parameters:
  ///   - state: The state to show from now on.
  ///   - recipe: The recipe of the load.
  ///   - view: The view.
  public func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe, in view: View) {
    if recipe == self.recipe.recipe {
      show(LoadState(state, of: self.recipe), in: view)
    } else if case .idle = state, recipe == .original {
      show(.idle, in: view)
    }
  }

  /// Shows no content.
  ///
  /// - Parameter view: The view.
  public func prepareForReuse(_ view: View) {
    show(.idle, in: view)
  }
}

/// A presenter of a model: the part of a row that a view shows, made once and compared as a whole.
///
/// ```swift
/// final class CaptionPresenter: ModelPresenter {
///   typealias View = CaptionView
///
///   nonisolated struct Caption: Equatable {
///     var title: String
///     var size: String
///   }
///
///   var shown: Caption?
///
///   func model(of row: SnippetRow) -> Caption {
///     Caption(title: row.title, size: "\(row.byteCount) bytes")
///   }
///
///   func show(_ caption: Caption, in view: CaptionView) {
///     view.text = "\(caption.title), \(caption.size)"
///   }
/// }
/// ```
@MainActor
public protocol ModelPresenter: CellPresenter {
  /// The part of a row that the view shows.
  associatedtype Model: Equatable

  /// The model on show; `nil` at first.
  ///
  /// The protocol maintains it: declare it, and leave it alone.
  var shown: Model? { get set }

  /// Makes the model of a row.
  ///
  /// - Parameter row: The row.
  /// - Returns: The model.
  func model(of row: SnippetRow) -> Model

  /// Shows a model.
  ///
  /// - Parameters:
  ///   - model: The model to show from now on.
  ///   - view: The view.
  func show(_ model: Model, in view: View)
}

extension ModelPresenter {
  /// Does nothing: ``show(_:in:)`` shows all at once.
  public func update(_ field: SnippetField, of row: SnippetRow, in view: View) {}

  /// Shows the model of the row, unless the view already shows that model.
  ///
  /// - Parameters:
  ///   - row: The row to show from now on.
  ///   - fields: The fields that differ. For another snippet the model is always shown.
  ///   - view: The view.
  public func show(_ row: SnippetRow, changing fields: SnippetFields, in view: View) {
    let model = model(of: row)
    guard fields == .all || model != shown else { return }
    shown = model
    show(model, in: view)
  }
}
