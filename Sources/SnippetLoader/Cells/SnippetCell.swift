public import SnippetStore

/// Anything that can show a snippet and be used again for another: a table cell, a line of a
/// terminal, a record in a test.
///
/// The loader tells a cell all that it has to show, always on the main actor. For each new snippet
/// that is the row and then exactly one state; a ``LoadState/loading`` is followed by
/// ``LoadState/loaded(_:)`` or ``LoadState/failed(_:)``, and a failure that may be overcome perhaps
/// by another attempt.
@MainActor
public protocol SnippetCell: AnyObject {
  /// Tells cells of one type apart that cannot stand in for each other. The default is an empty
  /// string: all cells of the type can.
  var reuseDiscriminator: String { get }

  /// Shows what is cheap: title, preview, facts.
  ///
  /// - Parameter row: The snippet. It may be a newer revision of the one shown.
  func show(_ row: SnippetRow)

  /// Shows how far the blob is, in place of what was shown of a blob before.
  ///
  /// - Parameter state: The state from now on.
  func show(_ state: LoadState)

  /// Lets go of everything that belongs to a snippet, its bytes above all.
  func prepareForReuse()
}

extension SnippetCell {
  /// An empty string: all cells of the type can stand in for each other.
  public var reuseDiscriminator: String { "" }

  /// The identifier of cells of this type: it follows from the type and cannot be set.
  public static var reuseIdentifier: ReuseIdentifier { ReuseIdentifier(Self.self) }

  /// The identifier of this cell, by its own type, not the one it was declared with.
  public var reuseIdentifier: ReuseIdentifier {
    ReuseIdentifier(type(of: self), discriminator: reuseDiscriminator)
  }
}
