extension MediaFacts {
  private static let maximumSeconds: Int64 = 10 * 366 * 86_400

  /// Makes the facts of an image out of numbers that a header claims.
  ///
  /// - Parameters:
  ///   - width: The stored width in pixels.
  ///   - height: The stored height in pixels.
  ///   - isTurned: Whether the image is shown turned by a quarter, so that the two change places.
  /// - Returns: Both sizes, or neither when one is not from 1 to 2^31 − 1.
  static func image(
    width: some BinaryInteger,
    height: some BinaryInteger,
    isTurned: Bool = false
  ) -> MediaFacts {
    guard let width = Int32(exactly: width), let height = Int32(exactly: height),
      width > 0, height > 0
    else { return MediaFacts() }
    return isTurned
      ? MediaFacts(pixelWidth: Int(height), pixelHeight: Int(width))
      : MediaFacts(pixelWidth: Int(width), pixelHeight: Int(height))
  }

  /// Makes the facts of a recording out of numbers that a header claims.
  ///
  /// - Parameters:
  ///   - units: The playing time in units, such as samples or ticks.
  ///   - rate: How many units pass in a second.
  /// - Returns: The playing time to the nanosecond, or none when it is negative, longer than ten
  ///   years, or counted in units that do not pass.
  static func recording(units: some BinaryInteger, rate: some BinaryInteger) -> MediaFacts {
    guard let units = Int64(exactly: units), let rate = Int64(exactly: rate),
      units >= 0, (1...Int64(UInt32.max)).contains(rate)
    else { return MediaFacts() }
    let (seconds, rest) = units.quotientAndRemainder(dividingBy: rate)
    guard seconds <= maximumSeconds else { return MediaFacts() }
    return MediaFacts(duration: .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / rate))
  }

  /// Makes the facts of a recording whose header gives the rate as a fraction.
  ///
  /// - Parameters:
  ///   - units: The playing time in units, such as samples.
  ///   - rate: How many units pass in a second.
  /// - Returns: As for a whole rate, which the common ones are; precise to a thousandth of a unit a
  ///   second otherwise.
  static func recording(units: some BinaryInteger, rate: Double) -> MediaFacts {
    if let rate = Int64(exactly: rate) { return recording(units: units, rate: rate) }
    guard let units = Int64(exactly: units), let rate = Int64(exactly: (rate * 1000).rounded())
    else { return MediaFacts() }
    let (thousandths, isTooMany) = units.multipliedReportingOverflow(by: 1000)
    return isTooMany ? MediaFacts() : recording(units: thousandths, rate: rate)
  }
}
