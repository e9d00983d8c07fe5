#if GTK
package import Foundation
internal import SystemPackage

/// How long the main thread is in code that GTK calls back, frame by frame: what a list costs apart
/// from GTK's own drawing.
///
/// What such code makes GTK do at once counts too, but for what GTK does when it is told of changes.
/// Waiting for files and locks counts, waiting while other processes have all processors does not.
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
  private var startOfRunning = Duration.zero
  private let began = ContinuousClock.now
  /// What the kernel knows of when this thread ran; `nil` where it does not say.
  private let schedule = try? FileDescriptor.open("/proc/thread-self/schedstat", .readOnly)

  package init() {}

  /// Runs a closure, and counts its time once, however deep.
  static func measure<Result>(_ body: () -> Result) -> Result {
    guard let current else { return body() }
    if current.depth == 0 { current.beginStep() }
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
    current.beginStep()
  }

  private func beginStep() {
    startOfRunning = runningTime
    start = .now
  }

  private func endStep() {
    // Asking the kernel takes longer than most steps.
    let step = min(.now - start, runningTime - startOfRunning)
    time += step
    longestStep = max(longestStep, step)
  }

  /// The time without that in which the thread was ready and had no processor.
  private var runningTime: Duration {
    while true {
      let waited = waitingTime
      let time = ContinuousClock.now - began
      // Others may have had the processor between the two.
      if waitingTime == waited { return time - waited }
    }
  }

  private var waitingTime: Duration {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      let count = (try? schedule?.read(fromAbsoluteOffset: 0, into: buffer)) ?? 0
      // How long it has run and has waited, in nanoseconds, and how often.
      let numbers = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
      return .nanoseconds(numbers.dropFirst().first.flatMap { Int64($0) } ?? 0)
    }
  }

  /// Ends a frame: what comes from now on is of the next.
  func endFrame() {
    frames.append(Frame(end: Date(), time: time, longestStep: longestStep))
    (time, longestStep) = (.zero, .zero)
  }
}
#endif
