extension MediaFacts {
  private static let maximumSeconds: Int64 = 10 * 366 * 86_400
  private static let pixelCounts: ClosedRange<Int> = 1...Int(Int32.max)
  // The schema holds the same limits. Sonar and ultrasound are recorded at some millions of hertz;
  // arrays of microphones have some hundreds of channels.
  private static let sampleRates = 1...10_000_000
  private static let channelCounts = 1...1024

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

  /// The facts that can be, of those that a file of this package's own making claims.
  package var withinBounds: MediaFacts {
    let times = Duration.zero ... .seconds(Self.maximumSeconds)
    return MediaFacts(
      pixelWidth: pixelWidth.flatMap { Self.pixelCounts.contains($0) ? $0 : nil },
      pixelHeight: pixelHeight.flatMap { Self.pixelCounts.contains($0) ? $0 : nil },
      duration: duration.flatMap { times.contains($0) ? $0 : nil }
    )
    .withSound(sampleRate: sampleRate ?? 0, channelCount: channelCount ?? 0)
  }

  /// Whether these are all facts that a list needs to show an image or a recording: of an image its
  /// size in pixels, of a recording its sample rate and its channels.
  func areComplete(for kind: SnippetKind) -> Bool {
    switch kind {
    case .text: true
    case .image: pixelWidth != nil && pixelHeight != nil
    case .voice: sampleRate != nil && channelCount != nil
    }
  }

  /// These facts, and of those that are not known the ones that others tell.
  ///
  /// - Parameter others: The other facts.
  /// - Returns: Both together.
  package func completed(by others: MediaFacts) -> MediaFacts {
    MediaFacts(
      pixelWidth: pixelWidth ?? others.pixelWidth,
      pixelHeight: pixelHeight ?? others.pixelHeight,
      duration: duration ?? others.duration,
      sampleRate: sampleRate ?? others.sampleRate,
      channelCount: channelCount ?? others.channelCount
    )
  }

  /// The same facts, and what a header claims of the sound.
  ///
  /// - Parameters:
  ///   - sampleRate: How many samples a second each channel has; a fraction is rounded.
  ///   - channelCount: How many channels there are.
  /// - Returns: The facts with each of the two that is within the bounds of ``sampleRate`` and
  ///   ``channelCount``.
  func withSound(sampleRate: Double, channelCount: some BinaryInteger) -> MediaFacts {
    var facts = self
    facts.sampleRate = Int(exactly: sampleRate.rounded()).flatMap {
      Self.sampleRates.contains($0) ? $0 : nil
    }
    facts.channelCount = Int(exactly: channelCount).flatMap {
      Self.channelCounts.contains($0) ? $0 : nil
    }
    return facts
  }

  /// The same facts, and what a header claims of the sound in whole numbers.
  ///
  /// - Parameters:
  ///   - sampleRate: How many samples a second each channel has.
  ///   - channelCount: How many channels there are.
  /// - Returns: As for a rate that may be a fraction.
  func withSound(
    sampleRate: some BinaryInteger,
    channelCount: some BinaryInteger
  ) -> MediaFacts {
    withSound(sampleRate: Double(sampleRate), channelCount: channelCount)
  }
}
