public import SnippetStorage

/// Anything that can show a snippet and be reused for another: a table cell, a line of a terminal,
/// a record in a test.
///
/// The loader gives a cell everything that it has to show, always on the main actor. For each new
/// snippet that is the row with all of its fields, then one state for each recipe that the rules
/// want: ``LoadState/loading(_:)`` is followed by ``LoadState/loaded(_:)`` or
/// ``LoadState/failed(_:)``, once, unless somebody asks for another attempt. A bound cell that gets
/// another snippet is first told ``LoadState/idle`` for each recipe of the former one, so it keeps
/// nothing of it; and so is one whose snippet needs nothing but its row, for the original.
@MainActor
public protocol SnippetCell: AnyObject {
  /// Distinguishes cells of one type that cannot replace each other. The default is an empty
  /// string: all of them can.
  var reuseDiscriminator: String { get }

  /// Shows what is cheap: title, preview, facts.
  ///
  /// - Parameters:
  ///   - row: The snippet. It may be a newer revision of the one shown.
  ///   - fields: What differs from what is shown: everything for another snippet, and never
  ///     nothing.
  func show(_ row: SnippetRow, changing fields: SnippetFields)

  /// Shows how far the load by one recipe is, in place of its state before.
  ///
  /// - Parameters:
  ///   - state: The state from now on.
  ///   - recipe: What is loaded: the original, a thumbnail, an excerpt.
  func show(_ state: LoadState, of recipe: Recipe)

  /// Releases everything that belongs to a snippet, its blob above all.
  func prepareForReuse()
}

extension SnippetCell {
  /// An empty string: all cells of the type can replace each other.
  public var reuseDiscriminator: String { "" }

  /// The identifier of cells of this type.
  ///
  /// It follows from the type and cannot be set.
  public static var reuseIdentifier: ReuseIdentifier { ReuseIdentifier(Self.self) }

  /// The identifier of this cell, by its own type, not the one it was declared with.
  public var reuseIdentifier: ReuseIdentifier {
    ReuseIdentifier(type(of: self), discriminator: reuseDiscriminator)
  }
}
