/// What a snippet is: text, an image or a voice recording.
///
/// The raw value is the number that the database stores in `snippet.kind`.
public enum SnippetKind: Int, Sendable, Hashable, CaseIterable {
  /// A text of any length.
  case text = 1
  /// A picture.
  case image = 2
  /// A recording.
  case voice = 3

  /// The word for the kind, as the database's views and the command line spell it.
  public var name: String {
    switch self {
    case .text: "text"
    case .image: "image"
    case .voice: "voice"
    }
  }

  /// Finds the kind that a word stands for.
  ///
  /// - Parameter name: `text`, `image` or `voice`; anything else gives `nil`.
  public init?(name: String) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }
}
