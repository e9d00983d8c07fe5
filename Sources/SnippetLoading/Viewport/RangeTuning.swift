/// The distances beyond the viewport at which blobs are loaded ahead.
///
/// There are two ranges around the viewport. Rows in the *imminent* range are about to be visible
/// and come right after those that are; rows in the *preload* range, which reaches further, come
/// last. Each has a leading side, where the movement goes, and a trailing side, where it comes
/// from.
///
/// A range goes as far as the list moves while a few loads end, but always between its least and
/// its greatest reach. So a list at rest has the least ranges, and a source that is slow is asked
/// earlier. While a movement becomes slower its range keeps its end until the list turns or rests:
/// what was asked for is not cancelled on the way.
///
/// A list that moves faster than its loads can follow first gets the rows that a load can still
/// meet: those that come into view when a load begun now has ended. Visible rows come after them,
/// because they will be gone by then.
public struct RangeTuning: Hashable, Sendable {
  /// The distance of a range on one side, in viewports.
  ///
  /// Values are limited to 0 through 100; NaN becomes 0.
  package struct Reach: Hashable, Sendable {
    /// The distance at rest.
    ///
    /// Raises ``most`` if that is less.
    package var least: Double {
      didSet {
        least = Self.bounded(least)
        most = max(most, least)
      }
    }
    /// The distance in the fastest movement; ``least`` if that is greater.
    package var most: Double { didSet { most = max(least, Self.bounded(most)) } }

    /// Makes a reach that depends on the speed.
    ///
    /// - Parameters:
    ///   - least: The distance at rest.
    ///   - most: The distance in the fastest movement.
    package init(least: Double, most: Double) {
      self.least = Self.bounded(least)
      self.most = max(self.least, Self.bounded(most))
    }

    /// Makes a reach that is the same at every speed.
    ///
    /// - Parameter viewports: The distance in viewports.
    package init(_ viewports: Double) {
      self.init(least: viewports, most: viewports)
    }

    /// The range ends where the viewport does.
    package static let none = Self(0)

    /// The reach of the range when the list moves this distance within the look-ahead.
    func viewports(moving distance: Double) -> Double {
      min(max(least, distance), most)
    }

    fileprivate func limited(to limit: Self) -> Self {
      Self(least: min(least, limit.least), most: min(most, limit.most))
    }

    private static func bounded(_ value: Double) -> Double {
      value.isNaN ? 0 : min(max(0, value), 100)
    }
  }

  /// The two sides of a range.
  package struct Extent: Hashable, Sendable {
    /// The distance in the direction of the movement.
    package var leading: Reach
    /// The distance on the other side.
    package var trailing: Reach

    /// Makes an extent.
    ///
    /// - Parameters:
    ///   - leading: The distance in the direction of the movement. The default is nothing.
    ///   - trailing: The distance on the other side. The default is nothing.
    package init(leading: Reach = .none, trailing: Reach = .none) {
      self.leading = leading
      self.trailing = trailing
    }
  }

  /// The time that ranges look into the future, in multiples of the time of a load.
  package struct LookAhead: Hashable, Sendable {
    /// The multiple of the time that a load takes.
    ///
    /// The default is 24. Values are limited to 0 through 1,000; NaN becomes 0.
    package var loadCount: Double { didSet { loadCount = Self.bounded(loadCount) } }
    /// The shortest time, which also holds until a load has been timed.
    ///
    /// The default is 0.2 s. Values are limited to 0 through 60 s.
    package var least: Duration { didSet { least = Self.bounded(least) } }
    /// The longest time, unless ``least`` is longer.
    ///
    /// The default is 0.4 s: a list that is flicked, and slows down as scroll views do, goes as far
    /// as half a second at its present speed would take it, unless the user turns it. Anything
    /// further would be loaded in vain. Values are limited to 0 through 60 s.
    package var most: Duration { didSet { most = Self.bounded(most) } }

    /// Makes a look-ahead.
    ///
    /// - Parameters:
    ///   - loadCount: The multiple of the time that a load takes. The default is 24.
    ///   - least: The shortest time. The default is 0.2 s.
    ///   - most: The longest time. The default is 0.4 s.
    package init(
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

  /// The range of rows that are about to be visible.
  package var imminent = Extent()
  /// What is loaded when nothing more urgent waits; the imminent range is always part of it.
  package var preload = Extent()
  /// The time that ranges look into the future.
  package var lookAhead = LookAhead()

  /// Makes the default tuning, for a list in use.
  ///
  /// The imminent range leads by a quarter of a viewport to one, and the preload range by a half to
  /// six, with half a viewport trailing.
  public init() {
    imminent.leading = Reach(least: 0.25, most: 1)
    preload = Extent(leading: Reach(least: 0.5, most: 6), trailing: Reach(0.5))
  }

  /// Makes a tuning that is the same at every speed.
  ///
  /// - Parameters:
  ///   - imminent: How far the imminent range leads, in viewports.
  ///   - leading: How far the preload range leads, the imminent part included; if it is less,
  ///     it cuts that part.
  ///   - trailing: How far the preload range trails.
  public init(imminent: Double, leading: Double, trailing: Double) {
    let reach = Reach(leading)
    self.imminent.leading = Reach(min(Reach(imminent).least, reach.least))
    preload = Extent(leading: reach, trailing: Reach(trailing))
  }

  /// Only a little is loaded ahead, in a list beside something more important.
  ///
  /// The imminent and the preload range lead by a tenth and by a quarter of a viewport, with a
  /// tenth trailing.
  public static let minimum = Self(imminent: 0.1, leading: 0.25, trailing: 0.1)

  /// Nothing is loaded ahead.
  public static let none = Self(imminent: 0, leading: 0, trailing: 0)

  /// The furthest reach of a range, in viewports.
  public var widestReach: Double {
    max(imminent.leading.most, imminent.trailing.most, preload.leading.most, preload.trailing.most)
  }

  /// This tuning, where no range reaches further than in another.
  func limited(to limit: Self) -> Self {
    func limited(_ extent: Extent, to limit: Extent) -> Extent {
      Extent(
        leading: extent.leading.limited(to: limit.leading),
        trailing: extent.trailing.limited(to: limit.trailing)
      )
    }
    var tuning = self
    tuning.imminent = limited(imminent, to: limit.imminent)
    tuning.preload = limited(preload, to: limit.preload)
    return tuning
  }
}
