public import SnippetStorage

/// Anything that can show a snippet and be reused for another: a table cell, a line of a terminal,
/// a record in a test.
///
/// The loader gives a cell everything it has to show, always on the main actor. For each new
/// snippet that is the row with all of its fields, then one state for each recipe that the rules
/// want: ``LoadState/loading(_:)`` is followed once by ``LoadState/loaded(_:)`` or
/// ``LoadState/failed(_:)``, and again only after a retry. A bound cell that gets another snippet
/// first gets ``LoadState/idle`` for each recipe of the former one, so it keeps nothing of it. A
/// cell whose snippet needs nothing but its row gets ``LoadState/idle`` for the original.
@MainActor
public protocol SnippetCell: AnyObject {
  /// Shows the fields that cost nothing to show: title, preview, facts.
  ///
  /// - Parameters:
  ///   - row: The snippet. It may be a newer revision of the one shown.
  ///   - fields: The fields that differ from the row on show: all of them for another snippet, and
  ///     always at least one.
  func show(_ row: SnippetRow, changing fields: SnippetFields)

  /// Shows the state of a load, in place of its state before.
  ///
  /// - Parameters:
  ///   - state: The state to show from now on.
  ///   - recipe: The recipe of the load: the original, a thumbnail, an excerpt.
  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe)

  /// Releases everything that belongs to the snippet, above all its blob.
  func prepareForReuse()
}
