public import SnippetStorage

/// Keeps one view up to date with its snippet.
///
/// A presenter belongs to one view, and is reused with it for as long as the view lives and shows
/// snippets of its presenter. A view that passes to a presenter of another class is first prepared
/// for reuse. A presenter gets each field that has to be shown, at the first bind all of them, and
/// then the states of its loads. It sends edits. What they change comes back as fields at once,
/// like a change by others.
///
/// Each call passes the view, so a presenter holds none. The field ``SnippetField/blob`` comes when
/// the content is another one: clear anything drawn from the former one.
///
/// ```swift
/// final class NotePresenter: CellPresenter {
///   func connect(_ view: NoteView, to sender: EditSender) {
///     view.onPin = { isPinned in sender.send(SnippetEdit(isPinned: isPinned)) }
///   }
///
///   func update(_ field: SnippetField, of row: SnippetRow, in view: NoteView) {
///     switch field {
///     case .title: view.title = row.title
///     case .preview: view.text = row.preview
///     case .isPinned: view.isPinned = row.isPinned
///     case .kind, .createdAt, .modifiedAt, .tags, .byteCount, .mediaType, .facts, .blob,
///       .deletedAt:
///       break
///     }
///   }
/// }
/// ```
///
/// A ``ContentPresenter`` gets its content as a typed value, and a ``ModelPresenter`` a model that
/// it makes of the row.
@MainActor
public protocol CellPresenter: AnyObject {
  /// The type of its view.
  associatedtype View: AnyObject

  /// The height that the view was designed for, in the units of the host's layout; `nil` when it
  /// follows from what the view shows. The default is `nil`.
  static var designedHeight: Double? { get }

  /// Connects the controls of the view, once for each presenter, before it shows anything.
  ///
  /// The default does nothing. Replace the closures of a view that had another presenter.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - sender: Sends edits of the snippet that the view shows at the time.
  func connect(_ view: View, to sender: EditSender)

  /// Shows one field of the row.
  ///
  /// A `switch` without a `default` stops compiling when a field is added.
  ///
  /// - Parameters:
  ///   - field: The field that differs from the view's.
  ///   - row: The row to show from now on.
  ///   - view: The view.
  func update(_ field: SnippetField, of row: SnippetRow, in view: View)

  /// Shows the fields that differ.
  ///
  /// The default calls `update` for each of them.
  ///
  /// - Parameters:
  ///   - row: The row to show from now on.
  ///   - fields: The fields that differ: all of them for another snippet, and always at least one.
  ///   - view: The view.
  func show(_ row: SnippetRow, changing fields: SnippetFields, in view: View)

  /// Shows the state of a load, in place of its state before.
  ///
  /// The default does nothing.
  ///
  /// - Parameters:
  ///   - state: The state to show from now on.
  ///   - recipe: The recipe of the load: the original, a thumbnail, an excerpt.
  ///   - view: The view.
  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe, in view: View)

  /// Releases everything that belongs to the snippet, above all its blob.
  ///
  /// The default does nothing.
  ///
  /// - Parameter view: The view.
  func prepareForReuse(_ view: View)
}

extension CellPresenter {
  /// `nil`: the height follows from what the view shows.
  public static var designedHeight: Double? { nil }

  /// Does nothing.
  public func connect(_ view: View, to sender: EditSender) {}

  /// Shows each field that differs.
  ///
  /// If the presenter gets another row during this call, the remaining fields of the former row are
  /// skipped, because they would be wrong.
  ///
  /// - Parameters:
  ///   - row: The row to show from now on.
  ///   - fields: The fields that differ.
  ///   - view: The view.
  public func show(_ row: SnippetRow, changing fields: SnippetFields, in view: View) {
    let depth = PresenterUpdates.begin(self)
    defer { PresenterUpdates.end() }
    fields.forEach { field in
      if PresenterUpdates.isLatest(at: depth) { update(field, of: row, in: view) }
    }
  }

  /// Does nothing.
  public func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe, in view: View) {}

  /// Does nothing.
  public func prepareForReuse(_ view: View) {}
}

/// The presenters whose `show` is running, the innermost last.
///
/// A presenter may bind its own view again from within; the remaining fields of the outer call are
/// then out of date.
@MainActor
private enum PresenterUpdates {
  /// One running call, identified by its depth.
  struct Depth {
    fileprivate let rawValue: Int
  }

  private static var running: [(presenter: ObjectIdentifier, isLatest: Bool)] = []

  /// Notes that a presenter is about to get fields; its outer calls are now out of date.
  static func begin(_ presenter: AnyObject) -> Depth {
    let identity = ObjectIdentifier(presenter)
    for index in running.indices where running[index].presenter == identity {
      running[index].isLatest = false
    }
    running.append((identity, isLatest: true))
    return Depth(rawValue: running.count - 1)
  }

  /// Whether the presenter has not been called with anything newer.
  static func isLatest(at depth: Depth) -> Bool {
    running[depth.rawValue].isLatest
  }

  /// Notes that the innermost presenter has got all its fields.
  static func end() {
    running.removeLast()
  }
}
