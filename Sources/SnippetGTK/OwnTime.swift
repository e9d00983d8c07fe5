#if GTK
package import Foundation
internal import SystemPackage

/// Measures how long callbacks of GTK keep the main thread, frame by frame: the cost of a list
/// apart from GTK's own drawing.
///
/// Work that such code makes GTK do at once counts too, except GTK's reaction to changes of the
/// list. Waiting for files and locks counts; waiting while other processes have all processors does
/// not.
@MainActor
package final class OwnTime {
  /// The measurement of this process; `nil`, the default, measures nothing.
  package static var current: OwnTime?

  /// A frame that was drawn.
  package struct Frame {
    /// The time at which it was drawn.
    package let end: Date
    /// The time for which callbacks kept the main thread since the frame before.
    package let time: Duration
    /// The longest step of that, during which nothing else happens on the main thread.
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
  /// The kernel's record of this thread's running times; `nil` where there is none.
  private let schedule = try? FileDescriptor.open("/proc/thread-self/schedstat", .readOnly)

  package init() {}

  /// Runs a closure and counts its time, once even if calls are nested.
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

  /// Runs a closure that is GTK's own work; callbacks within it count as usual.
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

  /// The time, without the time that the thread was ready and had no processor.
  private var runningTime: Duration {
    while true {
      let waited = waitingTime
      let time = ContinuousClock.now - began
      // Another thread may have had the processor between the two readings.
      if waitingTime == waited { return time - waited }
    }
  }

  private var waitingTime: Duration {
    withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
      let count = (try? schedule?.read(fromAbsoluteOffset: 0, into: buffer)) ?? 0
      // The time it has run and waited, in nanoseconds, and the number of times.
      let numbers = String(decoding: buffer.prefix(count), as: UTF8.self).split(separator: " ")
      return .nanoseconds(numbers.dropFirst().first.flatMap { Int64($0) } ?? 0)
    }
  }

  /// Ends a frame: everything from now on belongs to the next.
  func endFrame() {
    frames.append(Frame(end: Date(), time: time, longestStep: longestStep))
    (time, longestStep) = (.zero, .zero)
  }
}
#endif
