#if GTK
/// How long the main thread is in code that GTK calls back, frame by frame: what a list costs apart
/// from GTK's own drawing.
///
/// What such code makes GTK do at once counts too, so it is no less than the list's own share.
@MainActor
package final class OwnTime {
  /// The one of this process; `nil`, and nothing is measured, unless somebody sets it.
  package static var current: OwnTime?

  /// The time of each frame so far.
  package private(set) var frames: [Duration] = []
  private var total = Duration.zero
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
      if current.depth == 0 { current.total += .now - current.start }
    }
    return body()
  }

  /// Ends a frame: what comes from now on is of the next.
  func endFrame() {
    frames.append(total)
    total = .zero
  }
}
#endif
