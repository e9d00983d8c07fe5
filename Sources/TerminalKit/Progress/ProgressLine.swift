/// A line that shows the progress of work, fitted to a width.
///
/// `Importing [########............]  123/568  21%  12.3 MB/s  ETA 0:14  7 duplicates`
///
/// If room is short, parts are left out, the least important first: counters, rate, remaining time,
/// bar, percentage, title. The line is ASCII except for its title, so every terminal agrees on its
/// width.
struct ProgressLine {
  /// The parts besides title and count, most important first.
  private enum Part: CaseIterable {
    case percentage, bar, remaining, rate, counters
  }

  private static let barWidths = 10...30

  /// The work, such as “Importing”.
  let title: String

  /// The progress of the work.
  let progress: WorkProgress

  /// The time it has taken so far.
  let elapsed: Duration

  /// Makes the line.
  ///
  /// - Parameter width: The available columns.
  /// - Returns: The line, safe to print.
  func text(fitting width: Int) -> String {
    var parts = Part.allCases
    while !parts.isEmpty, text(with: parts, barWidth: 0).displayWidth > width { parts.removeLast() }
    if parts.isEmpty, text(with: parts, barWidth: 0).displayWidth > width {
      return count.truncated(toWidth: width)
    }
    let room = width - text(with: parts, barWidth: 0).displayWidth
    let barWidth = min(Self.barWidths.count - 1, room) + Self.barWidths.lowerBound
    return text(with: parts, barWidth: barWidth)
  }

  /// Makes the line from some of the parts, with a bar of a given width or the narrowest there is.
  private func text(with parts: [Part], barWidth: Int) -> String {
    let width = max(barWidth, Self.barWidths.lowerBound)
    let percentage = parts.contains(.percentage) ? percentage : nil
    var pieces = [[count, percentage].compactMap(\.self).joined(separator: " ")]
    if parts.contains(.rate), let rate { pieces.append(rate) }
    if parts.contains(.remaining), let remaining { pieces.append(remaining) }
    if parts.contains(.counters) { pieces += counters }
    let tail = pieces.joined(separator: "  ")
    guard parts.contains(.bar), let bar = bar(width: width) else { return "\(shownTitle)  \(tail)" }
    return "\(shownTitle) \(bar)  \(tail)"
  }

  private var shownTitle: String { TerminalText(title, lines: .folded).description }

  private var count: String {
    guard let total = progress.totalCount else {
      // Work without things to count has bytes.
      guard progress.completedCount == 0, let total = progress.totalByteCount else {
        return "\(progress.completedCount)"
      }
      return "\(ByteCountText(progress.byteCount))/\(ByteCountText(total))"
    }
    // As wide at the beginning as at the end, so that the bar does not shrink on the way.
    return "\(progress.completedCount)".padded(toWidth: "\(total)".count, alignment: .trailing)
      + "/\(total)"
  }

  private var percentage: String? {
    // Rounded down: 100% means done.
    progress.fraction.map { "\(Int($0 * 100))%".padded(toWidth: 4, alignment: .trailing) }
  }

  private var rate: String? {
    if progress.byteCount > 0 {
      return RateText(byteCount: progress.byteCount, over: elapsed)?.description
    }
    guard progress.completedCount > 0 else { return nil }
    return RateText(count: progress.completedCount, over: elapsed)?.description
  }

  private var remaining: String? {
    // Within the first second an estimate is worthless.
    guard let fraction = progress.fraction, fraction > 0, fraction < 1, elapsed >= .seconds(1)
    else { return nil }
    let seconds = elapsed / .seconds(1) * (1 - fraction) / fraction
    guard seconds < 360_000 else { return nil }
    return "ETA \(DurationText(.seconds(seconds)))"
  }

  private var counters: [String] {
    progress.counters.filter { $0.count != 0 }
      .map { "\($0.count) \(TerminalText($0.name, lines: .folded))" }
  }

  private func bar(width: Int) -> String? {
    progress.fraction.map { fraction in
      let filled = Int(fraction * Double(width))
      let (done, open) = (String(repeating: "#", count: filled), width - filled)
      return "[\(done)\(String(repeating: ".", count: open))]"
    }
  }
}
