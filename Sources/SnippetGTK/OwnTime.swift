#if GTK
package import Foundation

/// How long the main thread is in code that GTK calls back, frame by frame: what a list costs apart
/// from GTK's own drawing.
///
/// What such code makes GTK do at once counts too, but for what GTK does when it is told of changes.
@MainActor
package final class OwnTime {
  /// The one of this process; `nil`, and nothing is measured, unless somebody sets it.
  package static var current: OwnTime?

  /// A frame that was drawn.
  package struct Frame {
    /// When it was drawn.
    package let end: Date
    /// How long it kept the main thread, and all since the frame before.
    package let time: Duration
    /// The longest step of that, in which nothing else happens on the main thread.
    package let longestStep: Duration
  }

  /// The frames so far.
  package private(set) var frames: [Frame] = []
  private var time = Duration.zero
  private var longestStep = Duration.zero
  private var depth = 0
  private var start = ContinuousClock.now

  package init() {}

  /// Runs a closure, and counts its time once, however deep.
  static func measure<Result>(_ body: () -> Result) -> Result {
    guard let current else { return body() }
    if current.depth == 0 { current.start = .now }
    current.depth += 1
    defer {
      current.depth -= 1
      if current.depth == 0 { current.endStep() }
    }
    return body()
  }

  /// Runs a closure that is GTK's own work; what that calls back counts as ever.
  static func exclude(_ body: () -> Void) {
    guard let current, current.depth > 0 else { return body() }
    current.endStep()
    let depth = current.depth
    current.depth = 0
    body()
    current.depth = depth
    current.start = .now
  }

  private func endStep() {
    let step = .now - start
    time += step
    longestStep = max(longestStep, step)
  }

  /// Ends a frame: what comes from now on is of the next.
  func endFrame() {
    frames.append(Frame(end: Date(), time: time, longestStep: longestStep))
    (time, longestStep) = (.zero, .zero)
  }
}
#endif
