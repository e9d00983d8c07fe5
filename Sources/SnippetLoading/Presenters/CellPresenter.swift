public import SnippetStorage

/// Keeps one view in step with the snippet that it shows.
///
/// A presenter belongs to one view for as long as that lives, and is reused with it. It gets each
/// field that has to be shown, at the first bind all of them, and then the states of its loads. It
/// sends edits as commands. What they change comes back as fields, like a change that anybody else
/// makes.
///
/// The field ``SnippetField/blob`` comes when the content is another: clear what was drawn from the
/// former one. Of a snippet whose whole content is in its row the state is ``LoadState/idle``.
///
/// ```swift
/// final class PhotoPresenter: CellPresenter {
///   private weak var view: PhotoView?
///
///   init(_ view: PhotoView, sender: CommandSender) {
///     self.view = view
///     view.onPin = { isPinned in sender.send(.edit(SnippetEdit(isPinned: isPinned))) }
///   }
///
///   func update(_ field: SnippetField, of row: SnippetRow) {
///     switch field {
///     case .title: view?.title = row.title
///     case .isPinned: view?.isPinned = row.isPinned
///     case .blob:
///       view?.picture = nil  // it belongs to the former content
///     case .kind, .preview, .createdAt, .modifiedAt, .tags, .byteCount, .mediaType, .facts,
///       .deletedAt:
///       break
///     }
///   }
///
///   func show(_ state: LoadState, of recipe: Recipe) {
///     if case .loaded(let blob) = state { view?.picture = blob }
///   }
///
///   func prepareForReuse() { view?.picture = nil }
/// }
/// ```
@MainActor
public protocol CellPresenter: SnippetCell {
  /// The type of its view.
  associatedtype View: AnyObject

  /// The height that the view was designed for, in the units of the host's layout; `nil` when it
  /// follows from what the view shows. The default is `nil`.
  static var designedHeight: Double? { get }

  /// Makes the presenter of a view.
  ///
  /// - Parameters:
  ///   - view: The view. Hold it weakly: the presenter must not keep it alive.
  ///   - sender: Sends edits of the snippet that the view shows at the time.
  init(_ view: View, sender: CommandSender)

  /// Shows one field of the row.
  ///
  /// A `switch` without a `default` stops compiling when there is a new field.
  ///
  /// - Parameters:
  ///   - field: What differs from what is shown.
  ///   - row: The row from now on.
  func update(_ field: SnippetField, of row: SnippetRow)
}

extension CellPresenter {
  /// `nil`: the height follows from what the view shows.
  public static var designedHeight: Double? { nil }

  /// Shows each field that differs.
  ///
  /// If a presenter is given another row meanwhile, the rest of the former row's fields are
  /// skipped, because they would be wrong.
  ///
  /// - Parameters:
  ///   - row: The row from now on.
  ///   - fields: What differs from what is shown.
  public func show(_ row: SnippetRow, changing fields: SnippetFields) {
    let depth = PresenterUpdates.begin(self)
    defer { PresenterUpdates.end() }
    fields.forEach { field in
      if PresenterUpdates.isLatest(at: depth) { update(field, of: row) }
    }
  }
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
