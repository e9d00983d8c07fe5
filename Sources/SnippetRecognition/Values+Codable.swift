// How the values of content are encoded: as words and plain numbers, which stay as they are from
// one version of the package to the next.

extension SnippetKind: Codable {
  /// Reads the name of a kind: `text`, `image` or `voice`.
  ///
  /// - Parameter decoder: What holds the name.
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value(of: SnippetKind.init(name:)) { "No kind of snippet is named “\($0)”." }
  }

  /// Writes the ``name``.
  ///
  /// - Parameter encoder: What takes it.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try name.encode(to: encoder)
  }
}

extension ContentType: Codable {
  /// Reads a media type, such as `image/png`.
  ///
  /// - Parameter decoder: What holds the media type.
  /// - Throws: `DecodingError` for one that is not of ``allCases``.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value(of: ContentType.init(mediaType:)) {
      "A store takes no content of the type “\($0)”."
    }
  }

  /// Writes the ``mediaType``.
  ///
  /// - Parameter encoder: What takes it.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try mediaType.encode(to: encoder)
  }
}

extension Decoder {
  /// Reads a word and finds what it stands for.
  fileprivate func value<Value>(
    of find: (String) -> Value?,
    orSay problem: (String) -> String
  ) throws -> Value {
    let container = try singleValueContainer()
    let word = try container.decode(String.self)
    if let value = find(word) { return value }
    throw DecodingError.dataCorruptedError(in: container, debugDescription: problem(word))
  }
}

extension MediaFacts: Codable {
  private enum CodingKeys: String, CodingKey {
    case pixelWidth, pixelHeight, milliseconds, sampleRate, channelCount
  }

  /// Reads the facts that are there; one that is missing is unknown.
  ///
  /// - Parameter decoder: What holds the facts.
  /// - Throws: `DecodingError`, also for a number below 0.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func number(_ key: CodingKeys) throws -> Int? {
      let number = try container.decodeIfPresent(Int.self, forKey: key)
      guard number ?? 0 >= 0 else {
        throw DecodingError.dataCorruptedError(
          forKey: key,
          in: container,
          debugDescription: "It must not be below 0."
        )
      }
      return number
    }
    self.init(
      pixelWidth: try number(.pixelWidth),
      pixelHeight: try number(.pixelHeight),
      duration: try number(.milliseconds).map { .milliseconds($0) },
      sampleRate: try number(.sampleRate),
      channelCount: try number(.channelCount)
    )
  }

  /// Writes the facts that are known: `pixelWidth`, `pixelHeight`, `sampleRate` and `channelCount`
  /// as numbers, and the duration as `milliseconds`.
  ///
  /// - Parameter encoder: What takes them.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(pixelWidth, forKey: .pixelWidth)
    try container.encodeIfPresent(pixelHeight, forKey: .pixelHeight)
    // A store keeps no more than milliseconds.
    try container.encodeIfPresent(
      duration.map { Int64(clamping: $0.attoseconds / 1_000_000_000_000_000) },
      forKey: .milliseconds
    )
    try container.encodeIfPresent(sampleRate, forKey: .sampleRate)
    try container.encodeIfPresent(channelCount, forKey: .channelCount)
  }
}
