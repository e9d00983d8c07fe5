import SnippetBase

/// A way to compute a derivative from a blob: a name and a version.
///
/// A thumbnail, a waveform and the beginning of a text each have a recipe. Cells receive states per
/// recipe, and the store keeps derivatives per recipe. ``original`` stands for the unchanged bytes.
///
/// The name is the identity, in the store too. Every recipe gets a number when it is first named,
/// so comparing recipes is as fast as comparing numbers. The same name and version is the same
/// recipe, wherever it is made.
///
/// ```swift
/// extension Recipe {
///   static let palette = Recipe("palette 5", version: 2)
/// }
/// ```
public struct Recipe: Hashable, Sendable, CustomStringConvertible {
  /// The number in the registry of this process; never stored.
  package let number: UInt32

  private init(number: UInt32) {
    self.number = number
  }

  /// Makes a recipe.
  ///
  /// - Parameters:
  ///   - name: The name of the result, such as `thumbnail 320`. It is folded to one line of at most
  ///     100 characters.
  ///   - version: Increase it when the same blob gives another result. Derivatives of earlier
  ///     versions are no longer found, and are replaced. The default is 1.
  public init(_ name: String, version: Int = 1) {
    let entry = Entry(name: Self.folded(name), version: version)
    number = Self.registry.withLock { $0.number(of: entry) }
  }

  /// The unchanged bytes.
  public static var original: Recipe { Recipe(number: 0) }

  /// The name.
  public var name: String { entry.name }

  /// The version.
  public var version: Int { entry.version }

  /// The name, and the version unless it is the first.
  public var description: String {
    let entry = entry
    return entry.version == 1 ? entry.name : "\(entry.name) (version \(entry.version))"
  }

  // MARK: - Registry

  private struct Entry: Hashable {
    let name: String
    let version: Int
  }

  private struct Registry {
    var entries = [Entry(name: "original", version: 1)]
    var numbers = [Entry(name: "original", version: 1): UInt32(0)]

    mutating func number(of entry: Entry) -> UInt32 {
      if let number = numbers[entry] { return number }
      let number = UInt32(entries.count)
      entries.append(entry)
      numbers[entry] = number
      return number
    }
  }

  private static let registry = Lock(Registry())

  private var entry: Entry { Self.registry.withLock { $0.entries[Int(number)] } }

  /// Folds a name to one line of 1 to 100 characters, which is the rule of the store.
  private static func folded(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars.prefix(100) {
      scalars.append(scalar == "\n" || scalar == "\0" ? " " : scalar)
    }
    return scalars.isEmpty ? "unnamed" : String(scalars)
  }
}

extension Recipe: Codable {
  private enum CodingKeys: CodingKey {
    case name, version
  }

  /// Decodes a recipe from its name and version.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: Errors of the decoder.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try fields.decode(String.self, forKey: .name),
      version: try fields.decodeIfPresent(Int.self, forKey: .version) ?? 1
    )
  }

  /// Encodes the name and the version.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(name, forKey: .name)
    try fields.encode(version, forKey: .version)
  }
}
