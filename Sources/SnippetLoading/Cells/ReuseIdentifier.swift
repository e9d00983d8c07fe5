/// Identifies views that can replace each other: those of one concrete type.
///
/// Two types never share an identifier, not even a class and its subclass or two nested types of
/// the same name.
public struct ReuseIdentifier: Hashable, Sendable, CustomStringConvertible {
  /// The concrete type of the view.
  public let type: AnyObject.Type

  /// Makes the identifier of a type of view.
  ///
  /// - Parameter viewType: The concrete type of the view.
  public init(viewType: AnyObject.Type) {
    type = viewType
  }

  /// The full name of the type.
  ///
  /// UI frameworks take it as a reuse identifier.
  public var description: String { String(reflecting: type) }

  /// Whether two identifiers have the same type.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.type == rhs.type }

  /// Hashes the type.
  ///
  /// - Parameter hasher: Takes the type.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type))
  }
}
