public import SnippetStorage

/// Keeps one view in step with the snippet that it shows.
///
/// A presenter belongs to one view for as long as that lives, and is reused with it. It gets each
/// field that has to be shown, at the first bind all of them, and then the states of its loads. It
/// sends edits. What they change comes back as fields at once, like a change by others.
///
/// The view is passed to it each time, so a presenter holds none. The field ``SnippetField/blob``
/// comes when the content is another: clear what was drawn from the former one.
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
/// A ``ContentPresenter`` gets its content as a type, and a ``ModelPresenter`` what it makes of the
/// row.
@MainActor
public protocol CellPresenter: AnyObject {
  /// The type of its view.
  associatedtype View: AnyObject

  /// The height that the view was designed for, in the units of the host's layout; `nil` when it
  /// follows from what the view shows. The default is `nil`.
  static var designedHeight: Double? { get }

  /// Connects the controls of the view, once, before anything is shown. The default does nothing.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - sender: Sends edits of the snippet that the view shows at the time.
  func connect(_ view: View, to sender: EditSender)

  /// Shows one field of the row.
  ///
  /// A `switch` without a `default` stops compiling when there is a new field.
  ///
  /// - Parameters:
  ///   - field: What differs from what is shown.
  ///   - row: The row from now on.
  ///   - view: The view.
  func update(_ field: SnippetField, of row: SnippetRow, in view: View)

  /// Shows what differs of the row. The default shows each field that does.
  ///
  /// - Parameters:
  ///   - row: The row from now on.
  ///   - fields: What differs from what is shown: everything for another snippet, and never
  ///     nothing.
  ///   - view: The view.
  func show(_ row: SnippetRow, changing fields: SnippetFields, in view: View)

  /// Shows how far the load by one recipe is, in place of its state before. The default does
  /// nothing.
  ///
  /// - Parameters:
  ///   - state: The state from now on.
  ///   - recipe: What is loaded: the original, a thumbnail, an excerpt.
  ///   - view: The view.
  func show(_ state: LoadState, of recipe: Recipe, in view: View)

  /// Releases everything that belongs to a snippet, its blob above all. The default does nothing.
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
  /// If a presenter is given another row meanwhile, the rest of the former row's fields are
  /// skipped, because they would be wrong.
  ///
  /// - Parameters:
  ///   - row: The row from now on.
  ///   - fields: What differs from what is shown.
  ///   - view: The view.
  public func show(_ row: SnippetRow, changing fields: SnippetFields, in view: View) {
    let depth = PresenterUpdates.begin(self)
    defer { PresenterUpdates.end() }
    fields.forEach { field in
      if PresenterUpdates.isLatest(at: depth) { update(field, of: row, in: view) }
    }
  }

  /// Does nothing.
  public func show(_ state: LoadState, of recipe: Recipe, in view: View) {}

  /// Does nothing.
  public func prepareForReuse(_ view: View) {}
}

/// The presenters that are being called with fields, the innermost last.
///
/// A presenter may bind its own view again while it is called; the rest of the fields that it is
/// called with are out of date from there on.
@MainActor
private enum PresenterUpdates {
  /// One presenter being told, known by how many others are at the same time.
  struct Depth {
    fileprivate let rawValue: Int
  }

  private static var running: [(presenter: ObjectIdentifier, isLatest: Bool)] = []

  /// Notes that a presenter is about to be called with fields; earlier ones are outdated.
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

  /// Notes that the innermost presenter has been called with all fields.
  static func end() {
    running.removeLast()
  }
}
