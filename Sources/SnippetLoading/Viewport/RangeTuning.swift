/// The distances beyond the viewport at which blobs are loaded ahead.
///
/// There are two ranges around the viewport. Rows in the *display* range are about to be visible
/// and come right after the visible ones; rows in the *preload* range, which reaches further, come
/// last. Each has a leading side, in the direction of the movement, and a trailing side behind it.
///
/// A range goes as far as the list moves within the time of ``lookAhead``, but at least as far as
/// its least ``Reach`` and at most as far as its greatest. So a list at rest has the smallest
/// ranges, and a slow source is asked earlier. While a movement slows down, its range keeps its end
/// until the list turns or rests, so that requested loads are not cancelled on the way.
///
/// A list that moves faster than its loads can follow first gets the rows that a load can still
/// meet: those that come into view when a load begun now has ended. Visible rows come after them,
/// because they will be gone by then.
public struct RangeTuning: Hashable, Sendable {
  /// The distance of a range on one side, in viewports.
  ///
  /// Values are limited to 0 through 100; NaN becomes 0.
  public struct Reach: Hashable, Sendable {
    /// The distance at rest.
    ///
    /// Raises ``most`` if that is less.
    public var least: Double {
      didSet {
        least = Self.bounded(least)
        most = max(most, least)
      }
    }
    /// The distance in the fastest movement; ``least`` if that is greater.
    public var most: Double { didSet { most = max(least, Self.bounded(most)) } }

    /// Makes a reach that depends on the speed.
    ///
    /// - Parameters:
    ///   - least: The distance at rest.
    ///   - most: The distance in the fastest movement.
    public init(least: Double, most: Double) {
      self.least = Self.bounded(least)
      self.most = max(self.least, Self.bounded(most))
    }

    /// Makes a reach that is the same at every speed.
    ///
    /// - Parameter viewports: The distance in viewports.
    public init(_ viewports: Double) {
      self.init(least: viewports, most: viewports)
    }

    /// The range ends where the viewport does.
    public static let none = Self(0)

    /// The reach of the range when the list moves this distance within the look-ahead.
    func viewports(moving distance: Double) -> Double {
      min(max(least, distance), most)
    }

    private static func bounded(_ value: Double) -> Double {
      value.isNaN ? 0 : min(max(0, value), 100)
    }
  }

  /// The two sides of a range.
  public struct Extent: Hashable, Sendable {
    /// The distance in the direction of the movement.
    public var leading: Reach
    /// The distance on the other side.
    public var trailing: Reach

    /// Makes an extent.
    ///
    /// - Parameters:
    ///   - leading: The distance in the direction of the movement. The default is nothing.
    ///   - trailing: The distance on the other side. The default is nothing.
    public init(leading: Reach = .none, trailing: Reach = .none) {
      self.leading = leading
      self.trailing = trailing
    }
  }

  /// The ranges of one mode.
  public struct Ranges: Hashable, Sendable {
    /// The range of rows that are about to be visible.
    public var display: Extent
    /// The range that is loaded when nothing more urgent waits; it always includes the display
    /// range.
    public var preload: Extent

    /// Makes the ranges of a mode.
    ///
    /// - Parameters:
    ///   - display: The range of rows about to be visible. The default is nothing.
    ///   - preload: The range to load when nothing more urgent waits. The default is nothing.
    public init(display: Extent = Extent(), preload: Extent = Extent()) {
      self.display = display
      self.preload = preload
    }
  }

  /// The time that ranges look into the future, in multiples of the time of a load.
  public struct LookAhead: Hashable, Sendable {
    /// The multiple of the time that a load takes.
    ///
    /// The default is 24. Values are limited to 0 through 1,000; NaN becomes 0.
    public var loadCount: Double { didSet { loadCount = Self.bounded(loadCount) } }
    /// The shortest time, which also holds until a load has been timed.
    ///
    /// The default is 0.2 s. Values are limited to 0 through 60 s.
    public var least: Duration { didSet { least = Self.bounded(least) } }
    /// The longest time, unless ``least`` is longer.
    ///
    /// The default is 0.4 s: a list that is flicked, and slows down as scroll views do, goes as far
    /// as half a second at its present speed would take it, unless the user turns it. Anything
    /// further would be loaded in vain. Values are limited to 0 through 60 s.
    public var most: Duration { didSet { most = Self.bounded(most) } }

    /// Makes a look-ahead.
    ///
    /// - Parameters:
    ///   - loadCount: The multiple of the time that a load takes. The default is 24.
    ///   - least: The shortest time. The default is 0.2 s.
    ///   - most: The longest time. The default is 0.4 s.
    public init(
      loadCount: Double = 24,
      least: Duration = .milliseconds(200),
      most: Duration = .milliseconds(400)
    ) {
      self.loadCount = Self.bounded(loadCount)
      self.least = Self.bounded(least)
      self.most = Self.bounded(most)
    }

    /// The time to look ahead when loads take this long; `nil` when none has been timed.
    func duration(serviceTime: Duration?) -> Duration {
      guard let serviceTime else { return least }
      return max(least, min(most, Self.bounded(serviceTime) * loadCount))
    }

    private static func bounded(_ value: Double) -> Double {
      value.isNaN ? 0 : min(max(0, value), 1_000)
    }

    private static func bounded(_ value: Duration) -> Duration {
      min(max(.zero, value), .seconds(60))
    }
  }

  /// The time that ranges look into the future.
  public var lookAhead = LookAhead()

  private var rangesByMode: [RangeMode: Ranges]

  /// Makes the default tuning.
  ///
  /// In ``RangeMode/full`` mode the display range leads by a quarter of a viewport to one, and the
  /// preload range by a half to six, with half a viewport trailing. In ``RangeMode/minimum`` mode
  /// display and preload range lead by a tenth and by a quarter of a viewport, with a tenth trailing.
  /// In the other modes there are no ranges.
  public init() {
    rangesByMode = [
      .full: Ranges(
        display: Extent(leading: Reach(least: 0.25, most: 1)),
        preload: Extent(leading: Reach(least: 0.5, most: 6), trailing: Reach(0.5))
      ),
      .minimum: Ranges(
        display: Extent(leading: Reach(0.1)),
        preload: Extent(leading: Reach(0.25), trailing: Reach(0.1))
      ),
    ]
  }

  /// Makes a tuning for ``RangeMode/full`` mode that is the same at every speed, without ranges in
  /// the other modes.
  ///
  /// - Parameters:
  ///   - imminent: The distance that the display range leads, in viewports.
  ///   - leading: The distance that the preload range leads, including the imminent part; a smaller
  ///     distance cuts that part.
  ///   - trailing: The distance that the preload range trails.
  public init(imminent: Double, leading: Double, trailing: Double) {
    let reach = Reach(leading)
    rangesByMode = [
      .full: Ranges(
        display: Extent(leading: Reach(min(Reach(imminent).least, reach.least))),
        preload: Extent(leading: reach, trailing: Reach(trailing))
      )
    ]
  }

  /// Nothing is loaded ahead in any mode.
  public static let none = Self(imminent: 0, leading: 0, trailing: 0)

  /// The ranges of a mode.
  ///
  /// - Parameter mode: The mode.
  public subscript(mode: RangeMode) -> Ranges {
    get { rangesByMode[mode] ?? Ranges() }
    set { rangesByMode[mode] = newValue }
  }
}
