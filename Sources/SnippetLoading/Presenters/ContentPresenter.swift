public import SnippetStorage

/// A presenter of one content: a text, a picture, a waveform.
///
/// It gets values of its type, and the states of that load alone.
///
/// ```swift
/// final class TextPresenter: ContentPresenter {
///   let recipe = TypedRecipe<String>.text
///
///   func update(_ field: SnippetField, of row: SnippetRow, in view: NoteView) {
///     if field == .title { view.title = row.title }
///   }
///
///   func show(_ text: ContentState<String>, in view: NoteView) {
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

  /// Shows how far the content is.
  ///
  /// - Parameters:
  ///   - content: The state from now on, and what can be shown. A reused view is told
  ///     ``ContentState/idle`` before another snippet.
  ///   - view: The view.
  func show(_ content: ContentState<Content>, in view: View)
}

extension ContentPresenter {
  /// The recipe without the type of its content.
  var untypedRecipe: Recipe { recipe.recipe }

  /// Shows the content, if it is that of the presenter's recipe, and nothing where rows need nothing
  /// but themselves.
  ///
  /// - Parameters:
  ///   - state: The state from now on.
  ///   - recipe: What is loaded.
  ///   - view: The view.
  public func show(_ state: LoadState, of recipe: Recipe, in view: View) {
    if recipe == self.recipe.recipe {
      show(ContentState(state, of: self.recipe), in: view)
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

/// A presenter of a model: what a view shows of a row, made once and compared as a whole.
///
/// ```swift
/// final class CaptionPresenter: ModelPresenter {
///   typealias View = CaptionView
///
///   struct Caption: Equatable {
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
  /// What the view shows.
  associatedtype Model: Equatable

  /// What the view shows now; `nil` before anything. It belongs to the protocol: declare it, and
  /// leave it alone.
  var shown: Model? { get set }

  /// Makes the model of a row.
  ///
  /// - Parameter row: The row.
  /// - Returns: The model.
  func model(of row: SnippetRow) -> Model

  /// Shows a model.
  ///
  /// - Parameters:
  ///   - model: What to show from now on.
  ///   - view: The view.
  func show(_ model: Model, in view: View)
}

extension ModelPresenter {
  /// Does nothing: ``show(_:in:)`` shows all at once.
  public func update(_ field: SnippetField, of row: SnippetRow, in view: View) {}

  /// Shows the model of the row, unless the view shows that already.
  ///
  /// - Parameters:
  ///   - row: The row from now on.
  ///   - fields: What differs from what is shown. For another snippet the model is shown in any
  ///     case.
  ///   - view: The view.
  public func show(_ row: SnippetRow, changing fields: SnippetFields, in view: View) {
    let model = model(of: row)
    guard fields == .all || model != shown else { return }
    shown = model
    show(model, in: view)
  }
}
