/// Identifies cells that can replace each other: those of one concrete type and one discriminator.
///
/// Two types never share an identifier, not even a class and its subclass or two nested types of
/// the same name.
public struct ReuseIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The concrete type of the cell or the view.
  public let type: Any.Type
  /// Distinguishes cells of one type; empty unless the type needs it.
  public let discriminator: String

  /// Makes the identifier of a cell type.
  ///
  /// - Parameters:
  ///   - type: The concrete type of the cell.
  ///   - discriminator: Distinguishes cells of the type. The default is an empty string.
  public init(_ type: any SnippetCell.Type, discriminator: String = "") {
    self.type = type
    self.discriminator = discriminator
  }

  /// Makes the identifier of a type of view that is not a cell itself but has a presenter.
  ///
  /// - Parameters:
  ///   - viewType: The concrete type of the view.
  ///   - discriminator: Distinguishes views of the type. The default is an empty string.
  public init(viewType: AnyObject.Type, discriminator: String = "") {
    type = viewType
    self.discriminator = discriminator
  }

  /// The full name of the type, and the discriminator if there is one.
  ///
  /// UI frameworks take it as a reuse identifier.
  public var description: String {
    let name = String(reflecting: type)
    return discriminator.isEmpty ? name : "\(name)#\(discriminator)"
  }

  /// Whether two identifiers have the same type and discriminator.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.type == rhs.type && lhs.discriminator == rhs.discriminator
  }

  /// Hashes the type and the discriminator.
  ///
  /// - Parameter hasher: Takes the parts.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
    hasher.combine(discriminator)
  }
}
