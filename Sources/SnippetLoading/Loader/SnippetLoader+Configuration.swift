extension SnippetLoader {
  /// The limits of one list; limits that lists share are in ``LoadPipeline/Configuration``.
  ///
  /// The defaults suit a list of pictures on a phone.
  public struct Configuration: Hashable, Sendable {
    /// The most rows considered around the viewport.
    ///
    /// The default is 1,000. A longer visible range is cut to it.
    public var maximumRowCount: Int {
      didSet { maximumRowCount = min(max(1, maximumRowCount), 1 << 32) }
    }

    /// Whether a list is counted before its first row is shown.
    ///
    /// The default is `true`. Otherwise a long list is on screen sooner: ``SnippetLoader/count`` is
    /// the number known so far, and ``SnippetLoader/listChangeHandler`` is called once the list has
    /// been counted. So only a host that follows changes should turn it off.
    public var countsFirst: Bool

    /// The distances beyond the viewport at which blobs are loaded ahead, until
    /// ``SnippetLoader/ranges`` is set.
    public var ranges: RangeTuning

    /// The time that deliveries to cells may take in one turn of the main actor.
    ///
    /// The default is 2 ms.
    public var deliveryBudget: Duration

    /// Makes a configuration with every limit at its default.
    public init() {
      maximumRowCount = 1_000
      countsFirst = true
      ranges = RangeTuning()
      deliveryBudget = .milliseconds(2)
    }
  }
}
