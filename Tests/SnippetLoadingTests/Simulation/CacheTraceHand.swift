import Foundation
import SnippetBase

/// The hand that makes a ``CacheTrace``: it moves through lists and notes the rows that become
/// visible.
struct CacheTraceHand {
  /// The rows that became visible or were opened so far; the lists come one after the other.
  private(set) var looks: [CacheTrace.Look] = []

  private var generator: SplitMix64
  /// The first visible row of each list.
  private var firsts: [Int]
  private var list = 0
  /// The number of looks at the last call of ``open(share:)``.
  private var openedCount = 0

  private let lastFirst = CacheTrace.rowCount - CacheTrace.viewport

  init(seed: UInt64, listCount: Int) {
    generator = SplitMix64(seed: seed)
    firsts = Array(repeating: 0, count: listCount)
    see(firsts[0])
  }

  /// Flicks two viewports, mostly down; at the end of the list returns to its top.
  mutating func browse() {
    guard firsts[list] < lastFirst else { return returnToTop() }
    flick(viewports: 2, forwardChance: 0.8)
  }

  /// Moves half a viewport further, or looks back and returns.
  mutating func read() {
    guard firsts[list] < lastFirst else { return returnToTop() }
    guard generator.chance(1 / 30) else { return move(by: length(viewports: 0.5)) }
    let place = firsts[list]
    move(by: -length(viewports: 20))
    move(by: place - firsts[list])
  }

  /// Moves by a random distance.
  ///
  /// - Parameters:
  ///   - viewports: The mean distance.
  ///   - forwardChance: The probability that it goes down.
  mutating func flick(viewports: Double, forwardChance: Double) {
    let distance = length(viewports: viewports)
    move(by: generator.chance(forwardChance) ? distance : -distance)
  }

  /// Turns to another list, at its last place.
  mutating func changeList(chance: Double) {
    guard generator.chance(chance) else { return }
    list = (list + 1 + generator.below(firsts.count - 1)) % firsts.count
    see(firsts[list])
  }

  /// Opens popular snippets, in between the rows seen since the last call.
  ///
  /// - Parameter share: The share of these look-ups among all.
  mutating func open(share: Double) {
    let seen = Array(looks[openedCount...])
    looks.removeSubrange(openedCount...)
    for look in seen {
      while generator.chance(share) {
        looks.append(
          CacheTrace.Look(
            position: popularPosition(),
            visible: looks.last?.visible ?? look.visible,
            isOpened: true
          )
        )
      }
      looks.append(look)
    }
    openedCount = looks.count
  }

  /// A position by Zipf's law: the second is opened half as often as the first, and so on.
  private mutating func popularPosition() -> Int {
    let rank = Int(pow(Double(CacheTrace.rowCount), generator.unit()))
    // Popular snippets are spread over the list; the factor has no divisor in common with its
    // length.
    return rank * 7_919 % CacheTrace.rowCount
  }

  /// A distance in rows, by the exponential distribution.
  private mutating func length(viewports: Double) -> Int {
    let mean = viewports * Double(CacheTrace.viewport)
    return Int((-mean * log(1 - generator.unit())).rounded(.up))
  }

  private mutating func move(by distance: Int) {
    let first = firsts[list]
    let target = min(max(0, first + distance), lastFirst)
    firsts[list] = target
    if target > first {
      for row in first + 1...target { see(row + CacheTrace.viewport - 1, from: row) }
    } else {
      for row in (target..<first).reversed() { see(row, from: row) }
    }
  }

  private mutating func returnToTop() {
    firsts[list] = 0
    see(0)
  }

  /// Sees all visible rows from one on.
  private mutating func see(_ first: Int) {
    for row in first..<first + CacheTrace.viewport { see(row, from: first) }
  }

  /// Sees a row come into view.
  private mutating func see(_ row: Int, from first: Int) {
    let start = list * CacheTrace.rowCount
    looks.append(
      CacheTrace.Look(
        position: start + row,
        visible: start + first..<start + first + CacheTrace.viewport
      )
    )
  }
}
