extension LoaderEvent: Codable {
  /// Reads an event from its flat form.
  ///
  /// - Parameter decoder: Holds one object; fields that do not belong to the event are passed over.
  /// - Throws: `DecodingError`, with the name of the field that is missing or wrong.
  public init(from decoder: any Decoder) throws {
    let fields = try LoaderEventFields(from: decoder)
    self.init(
      time: .nanoseconds(try fields.nonnegative(fields.at, .at)),
      try fields.action()
    )
  }

  /// Writes the event in its flat form.
  ///
  /// It is one object of numbers, names and truth values, whose field `event` says which others
  /// there are. Times are in nanoseconds.
  ///
  /// - Parameter encoder: Takes the object.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try LoaderEventFields(self).encode(to: encoder)
  }
}
