import Foundation

/// The time for which processors worked, which other programs hardly change.
package enum ProcessorTime {
  /// The time of all threads of this process so far, in the program and in the system.
  package static var used: Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
