/// The clock for limits of work, and for waits until others have done theirs: it stands still while
/// the machine sleeps.
///
/// On Linux, as elsewhere, `ContinuousClock` counts the sleep. A limit would be over when the machine
/// wakes, though nothing has worked since it fell asleep.
package typealias WorkClock = SuspendingClock
