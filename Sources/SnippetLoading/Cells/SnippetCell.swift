public import SnippetStorage

/// Anything that can show a snippet and be used again for another: a table cell, a line of a
/// terminal, a record in a test.
///
/// The loader tells a cell all that it has to show, always on the main actor. For each new snippet
/// that is the row, all of its fields, and then one state for each variant that the snippet's kind
/// needs: ``LoadState/loading(_:)`` is followed by ``LoadState/loaded(_:)`` or
/// ``LoadState/failed(_:)``, once, unless somebody asks for another attempt. Of a snippet without a
/// blob the state is ``LoadState/idle``, for the original.
@MainActor
public protocol SnippetCell: AnyObject {
  /// Tells cells of one type apart that cannot stand in for each other. The default is an empty
  /// string: all cells of the type can.
  var reuseDiscriminator: String { get }

  /// Shows what is cheap: title, preview, facts.
  ///
  /// - Parameters:
  ///   - row: The snippet. It may be a newer revision of the one shown.
  ///   - fields: What differs from what is shown; all of it for another snippet, never nothing.
  func show(_ row: SnippetRow, changing fields: SnippetFields)

  /// Shows how far a variant of the blob is, in place of what was shown of it before.
  ///
  /// - Parameters:
  ///   - state: The state from now on.
  ///   - variant: The variant that it is the state of.
  func show(_ state: LoadState, of variant: BlobVariant)

  /// Lets go of everything that belongs to a snippet, its blob above all.
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
