// The encoded form of content values: words and plain numbers. It stays the same from one version
// of the package to the next.

extension SnippetKind: Codable {
  /// Decodes the name of a kind: `text`, `image` or `voice`.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value(of: SnippetKind.init(name:)) { "No kind of snippet is named “\($0)”." }
  }

  /// Encodes the ``name``.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    try name.encode(to: encoder)
  }
}

extension ContentType: Codable {
  /// Decodes a media type, such as `image/png`.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError` for a type that is not in ``allCases``.
  public init(from decoder: any Decoder) throws {
    self = try decoder.value(of: ContentType.init(mediaType:)) {
      "A store takes no content of the type “\($0)”."
    }
  }

  /// Encodes the ``mediaType``.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    try mediaType.encode(to: encoder)
  }
}

extension Decoder {
  /// Decodes a word and converts it to its value.
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
    case pixelWidth, pixelHeight, milliseconds, sampleRate, channelCount, isIrregular
  }

  /// Decodes the facts that are present; the others are unknown.
  ///
  /// - Parameter decoder: The decoder to read from.
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
      channelCount: try number(.channelCount),
      isIrregular: try container.decodeIfPresent(Bool.self, forKey: .isIrregular) ?? false
    )
  }

  /// Encodes the known facts: `pixelWidth`, `pixelHeight`, `sampleRate` and `channelCount` as
  /// numbers, the duration as `milliseconds`, and `isIrregular` if it is `true`.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(pixelWidth, forKey: .pixelWidth)
    try container.encodeIfPresent(pixelHeight, forKey: .pixelHeight)
    // A store keeps only milliseconds.
    try container.encodeIfPresent(
      duration.map { Int64(clamping: $0.attoseconds / 1_000_000_000_000_000) },
      forKey: .milliseconds
    )
    try container.encodeIfPresent(sampleRate, forKey: .sampleRate)
    try container.encodeIfPresent(channelCount, forKey: .channelCount)
    if isIrregular { try container.encode(true, forKey: .isIrregular) }
  }
}
