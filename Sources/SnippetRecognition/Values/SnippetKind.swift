/// The kind of a snippet: text, an image or a voice recording.
///
/// The raw value is the number that the database stores in `snippet.kind`.
public enum SnippetKind: Int, Sendable, Hashable, CaseIterable {
  /// A text of any length.
  case text = 1
  /// A picture.
  case image = 2
  /// A recording.
  case voice = 3

  /// The name of the kind, as in the database's views and on the command line.
  public var name: String {
    switch self {
    case .text: "text"
    case .image: "image"
    case .voice: "voice"
    }
  }

  /// Returns the kind with a name.
  ///
  /// - Parameter name: `text`, `image` or `voice`; anything else gives `nil`.
  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}
