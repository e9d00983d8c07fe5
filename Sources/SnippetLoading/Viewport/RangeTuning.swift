/// The distances beyond the viewport at which blobs are loaded ahead.
///
/// There are two ranges around the viewport. Rows in the *imminent* range are about to be visible
/// and come right after those that are; rows in the *preload* range, which reaches further, come
/// last. Both lie on the leading side, where the movement goes; the preload range has a trailing
/// side too, where it comes from.
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
  struct Reach: Hashable, Sendable {
    /// The distance at rest.
    let least: Double
    /// The distance in the fastest movement; ``least`` if that is greater.
    let most: Double

    init(least: Double, most: Double) {
      self.least = Self.bounded(least)
      self.most = max(self.least, Self.bounded(most))
    }

    /// Makes a reach that is the same at every speed.
    init(_ viewports: Double) {
      self.init(least: viewports, most: viewports)
    }

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

  /// The distance by which the imminent range leads; it does not trail.
  var imminent = Reach(least: 0.25, most: 1)
  /// The distance by which the preload range leads, the imminent part included.
  var leading = Reach(least: 0.5, most: 6)
  /// The distance by which the preload range trails.
  var trailing = Reach(0.5)

  /// Makes the default tuning, for a list in use.
  ///
  /// The imminent range leads by a quarter of a viewport to one, and the preload range by a half to
  /// six, with half a viewport trailing.
  public init() {}

  /// Makes a tuning that is the same at every speed.
  ///
  /// - Parameters:
  ///   - imminent: How far the imminent range leads, in viewports.
  ///   - leading: How far the preload range leads, the imminent part included; if it is less,
  ///     it cuts that part.
  ///   - trailing: How far the preload range trails.
  public init(imminent: Double, leading: Double, trailing: Double) {
    self.leading = Reach(leading)
    self.imminent = Reach(imminent).limited(to: self.leading)
    self.trailing = Reach(trailing)
  }

  /// Only a little is loaded ahead, in a list beside something more important.
  ///
  /// The imminent and the preload range lead by a tenth and by a quarter of a viewport, with a
  /// tenth trailing.
  public static let minimum = Self(imminent: 0.1, leading: 0.25, trailing: 0.1)

  /// Nothing is loaded ahead.
  public static let none = Self(imminent: 0, leading: 0, trailing: 0)

  /// The furthest reach of a range, in viewports.
  public var widestReach: Double { max(leading.most, trailing.most) }

  /// This tuning, where no range reaches further than in another.
  func limited(to limit: Self) -> Self {
    var tuning = self
    tuning.imminent = imminent.limited(to: limit.imminent)
    tuning.leading = leading.limited(to: limit.leading)
    tuning.trailing = trailing.limited(to: limit.trailing)
    return tuning
  }

  /// The time that ranges look into the future: that of 24 loads, but from 0.2 to 0.4 s, and 0.2 s
  /// until a load has been timed.
  ///
  /// A list that is flicked, and slows down as scroll views do, goes as far as half a second at its
  /// present speed would take it, unless the user turns it. Anything further would be loaded in
  /// vain.
  static func lookAhead(serviceTime: Duration?) -> Duration {
    let (least, most) = (Duration.milliseconds(200), Duration.milliseconds(400))
    guard let serviceTime else { return least }
    return max(least, min(most, min(serviceTime, most) * 24))
  }
}
