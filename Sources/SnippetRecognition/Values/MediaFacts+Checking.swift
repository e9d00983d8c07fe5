extension MediaFacts {
  private static let maximumSeconds: Int64 = 10 * 366 * 86_400
  private static let pixelCounts: ClosedRange<Int> = 1...Int(Int32.max)
  // The schema has the same limits. Sonar and ultrasound are recorded at some millions of hertz;
  // microphone arrays have some hundreds of channels.
  private static let sampleRates = 1...10_000_000
  private static let channelCounts = 1...1024

  /// Makes the facts of an image from its stored size in pixels, which a quarter turn swaps.
  ///
  /// They have both sizes, or neither if one is not from 1 to 2^31 − 1.
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

  /// Makes the facts of a recording from its playing time in units, such as samples or ticks, and
  /// their number in a second.
  ///
  /// The time is precise to the nanosecond. There is none if it is negative, longer than ten years,
  /// or in units of an impossible rate.
  static func recording(units: some BinaryInteger, rate: some BinaryInteger) -> MediaFacts {
    guard let units = Int64(exactly: units), let rate = Int64(exactly: rate),
      units >= 0, (1...Int64(UInt32.max)).contains(rate)
    else { return MediaFacts() }
    let (seconds, rest) = units.quotientAndRemainder(dividingBy: rate)
    guard seconds <= maximumSeconds else { return MediaFacts() }
    return MediaFacts(duration: .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / rate))
  }

  /// Makes the facts of a recording whose header gives the rate as a fraction, precise to a
  /// thousandth of a unit per second.
  static func recording(units: some BinaryInteger, rate: Double) -> MediaFacts {
    if let rate = Int64(exactly: rate) { return recording(units: units, rate: rate) }
    guard let units = Int64(exactly: units), let rate = Int64(exactly: (rate * 1000).rounded())
    else { return MediaFacts() }
    let (thousandths, isTooMany) = units.multipliedReportingOverflow(by: 1000)
    return isTooMany ? MediaFacts() : recording(units: thousandths, rate: rate)
  }

  /// The plausible ones of facts that come from a file of this package.
  package var withinBounds: MediaFacts {
    let times = Duration.zero ... .seconds(Self.maximumSeconds)
    return MediaFacts(
      pixelWidth: pixelWidth.flatMap { Self.pixelCounts.contains($0) ? $0 : nil },
      pixelHeight: pixelHeight.flatMap { Self.pixelCounts.contains($0) ? $0 : nil },
      duration: duration.flatMap { times.contains($0) ? $0 : nil }
    )
    .withSound(sampleRate: sampleRate ?? 0, channelCount: channelCount ?? 0)
  }

  /// Whether all facts that a list needs are known: for an image the size in pixels, for a
  /// recording the sample rate and channels.
  func areComplete(for kind: SnippetKind) -> Bool {
    switch kind {
    case .text: true
    case .image: pixelWidth != nil && pixelHeight != nil
    case .voice: sampleRate != nil && channelCount != nil
    }
  }

  /// Returns these facts, with the unknown ones taken from others.
  package func completed(by others: MediaFacts) -> MediaFacts {
    MediaFacts(
      pixelWidth: pixelWidth ?? others.pixelWidth,
      pixelHeight: pixelHeight ?? others.pixelHeight,
      duration: duration ?? others.duration,
      sampleRate: sampleRate ?? others.sampleRate,
      channelCount: channelCount ?? others.channelCount
    )
  }

  /// Returns the same facts with the rounded sample rate in hertz and the number of channels from a
  /// header, each if it is within the bounds of ``sampleRate`` and ``channelCount``.
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

  /// Returns the same facts with the sound format from a header, in whole numbers.
  func withSound(
    sampleRate: some BinaryInteger,
    channelCount: some BinaryInteger
  ) -> MediaFacts {
    withSound(sampleRate: Double(sampleRate), channelCount: channelCount)
  }
}
