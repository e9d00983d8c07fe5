extension MediaFacts {
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

  /// Makes the facts of a recording from its playing time and from the sample rate in hertz and the
  /// number of channels in its header.
  ///
  /// The sample rate is rounded. It and the number of channels are unknown unless they are within
  /// the bounds of ``sampleRate`` and ``channelCount``.
  static func recording(
    _ duration: Duration?,
    sampleRate: Double,
    channelCount: some BinaryInteger
  ) -> MediaFacts {
    MediaFacts(
      duration: duration,
      sampleRate: Int(exactly: sampleRate.rounded()).flatMap {
        sampleRates.contains($0) ? $0 : nil
      },
      channelCount: Int(exactly: channelCount).flatMap { channelCounts.contains($0) ? $0 : nil }
    )
  }

  /// Makes the facts of a recording whose header gives the sample rate as a whole number.
  static func recording(
    _ duration: Duration?,
    sampleRate: some BinaryInteger,
    channelCount: some BinaryInteger
  ) -> MediaFacts {
    recording(duration, sampleRate: Double(sampleRate), channelCount: channelCount)
  }

  /// The plausible ones of facts that come from a file of this package.
  package var withinBounds: MediaFacts {
    let times = Duration.zero ... .seconds(Duration.maximumSeconds)
    var facts = MediaFacts.recording(
      duration.flatMap { times.contains($0) ? $0 : nil },
      sampleRate: sampleRate ?? 0,
      channelCount: channelCount ?? 0
    )
    facts.pixelWidth = pixelWidth.flatMap { Self.pixelCounts.contains($0) ? $0 : nil }
    facts.pixelHeight = pixelHeight.flatMap { Self.pixelCounts.contains($0) ? $0 : nil }
    facts.isIrregular = isIrregular
    return facts
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
      channelCount: channelCount ?? others.channelCount,
      isIrregular: isIrregular || others.isIrregular
    )
  }
}

extension Duration {
  fileprivate static let maximumSeconds: Int64 = 10 * 366 * 86_400

  /// Makes the playing time of a recording from units, such as samples or ticks, and their number
  /// in a second.
  ///
  /// It is precise to the nanosecond. There is none if it is negative, longer than ten years, or in
  /// units of an impossible rate.
  init?(units: some BinaryInteger, rate: some BinaryInteger) {
    guard let units = Int64(exactly: units), let rate = Int64(exactly: rate),
      units >= 0, (1...Int64(UInt32.max)).contains(rate)
    else { return nil }
    let (seconds, rest) = units.quotientAndRemainder(dividingBy: rate)
    guard seconds <= Self.maximumSeconds else { return nil }
    self = .seconds(seconds) + .nanoseconds(rest * 1_000_000_000 / rate)
  }

  /// Makes the playing time of a recording whose header gives the rate as a fraction, precise to a
  /// thousandth of a unit per second.
  init?(units: some BinaryInteger, rate: Double) {
    if let rate = Int64(exactly: rate) {
      self.init(units: units, rate: rate)
      return
    }
    guard let units = Int64(exactly: units), let rate = Int64(exactly: (rate * 1000).rounded())
    else { return nil }
    let (thousandths, isTooMany) = units.multipliedReportingOverflow(by: 1000)
    guard !isTooMany else { return nil }
    self.init(units: thousandths, rate: rate)
  }
}
