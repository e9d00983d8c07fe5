import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTesting

/// A way of using lists, with the look-ups in a cache that result: one for every blob that comes
/// into the viewport or is opened.
///
/// A thumb flicks through a list of ``rowCount`` rows, ``viewport`` of them visible. The distance
/// of a flick is random, and more often small than large. The same seed gives the same look-ups.
enum CacheTrace: Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Down a list by flicks of two viewports, one in five of them back up; from its end to its top.
  case browse
  /// To and fro by flicks of three viewports, either way equally often.
  case backAndForth
  /// Down a list by half a viewport at a time; one move in thirty looks up something read before,
  /// 20 viewports back, and returns.
  case reader
  /// ``browse`` in three lists, changing to another after one flick in ten.
  case threeTabs
  /// ``browse``, with every fourth look-up opening a popular snippet (by Zipf's law).
  case browseAndOpen
  /// The rows that a ``ScrollSimulation`` makes visible.
  case recorded(ScrollPattern)

  /// The length of each list.
  static let rowCount = 10_000
  /// The number of rows visible at a time.
  static let viewport = 12

  /// All shapes, and a recording of each pattern.
  static var allCases: [Self] {
    [.browse, .backAndForth, .reader, .threeTabs, .browseAndOpen]
      + ScrollPattern.allCases.map(Self.recorded)
  }

  /// A short name.
  var description: String {
    switch self {
    case .browse: "browse"
    case .backAndForth: "back and forth"
    case .reader: "reader"
    case .threeTabs: "three tabs"
    case .browseAndOpen: "browse and open"
    case .recorded(let pattern): "recorded \(pattern.rawValue)"
    }
  }

  /// The sizes of the blobs.
  enum Sizes: Hashable, Sendable, CaseIterable {
    /// 100,000 bytes each.
    case even
    /// From 4,000 bytes to 1,000,000, the logarithm evenly spread.
    case varied

    /// The mean memory that a blob takes of a cache's limit, in bytes.
    var meanCost: Int {
      let costs = (0..<CacheTrace.rowCount).lazy.map {
        CacheReplay.cost(ofByteCount: byteCount(at: $0))
      }
      return costs.reduce(0, +) / CacheTrace.rowCount
    }

    func byteCount(at position: Int) -> Int {
      switch self {
      case .even:
        return 100_000
      case .varied:
        var generator = SplitMix64(seed: UInt64(position))
        return Int(4_000 * pow(250, generator.unit()))
      }
    }
  }

  /// Makes look-ups of this shape.
  ///
  /// - Parameters:
  ///   - count: The number of look-ups.
  ///   - seed: Tells sequences of one shape apart.
  ///   - sizes: The sizes of the blobs. The default gives all the same size.
  /// - Returns: The look-ups, in their order.
  func accesses(
    count: Int,
    seed: UInt64,
    sizes: Sizes = .even
  ) -> [CacheReplay.Access] {
    func key(at position: Int) -> LoadKey { LoadKey(blobID: BlobID(rawValue: Int64(position) + 1)) }
    var visible = 0..<0
    return looks(count: count, seed: seed).map { look in
      defer { visible = look.visible }
      return CacheReplay.Access(
        key: key(at: look.position),
        byteCount: sizes.byteCount(at: look.position),
        isShown: !look.isOpened,
        leaving: visible.filter { !look.visible.contains($0) }.map(key)
      )
    }
  }

  /// A look at a row, by position; the lists come one after the other.
  struct Look {
    let position: Int
    /// The rows on screen by then.
    let visible: Range<Int>
    /// Whether it is opened, wherever it is, instead of coming into view.
    var isOpened = false
  }

  private func looks(count: Int, seed: UInt64) -> [Look] {
    if case .recorded(let pattern) = self {
      return recordedLooks(of: pattern, count: count, seed: seed)
    }
    var hand = CacheTraceHand(seed: seed, listCount: self == .threeTabs ? 3 : 1)
    while hand.looks.count < count {
      switch self {
      case .browse, .recorded:
        hand.browse()
      case .backAndForth:
        hand.flick(viewports: 3, forwardChance: 0.5)
      case .reader:
        hand.read()
      case .threeTabs:
        hand.browse()
        hand.changeList(chance: 0.1)
      case .browseAndOpen:
        hand.browse()
        hand.open(share: 0.25)
      }
    }
    return Array(hand.looks.prefix(count))
  }

  private func recordedLooks(of pattern: ScrollPattern, count: Int, seed: UInt64) -> [Look] {
    let thumb = ScrollSimulation(
      rowCount: Self.rowCount,
      viewport: Self.viewport,
      pattern: pattern,
      seed: seed,
      steps: .max
    )
    var looks: [Look] = []
    var former = 0..<0
    for first in thumb {
      let visible = first..<first + Self.viewport
      looks += visible.filter { !former.contains($0) }.map { Look(position: $0, visible: visible) }
      former = visible
      if looks.count >= count { break }
    }
    return Array(looks.prefix(count))
  }
}
