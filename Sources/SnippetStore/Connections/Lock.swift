#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// A value that one thread at a time may look at.
///
/// The standard library's `Mutex` makes Thread Sanitizer report races that are none on Linux, and
/// costs five times as much there as the lock of the platform that is used here.
package final class Lock<Value>: @unchecked Sendable {
  // Unchecked because `value` is only ever touched between lock and unlock, in `withLock`.
  #if canImport(Darwin)
  private let handle: UnsafeMutablePointer<os_unfair_lock>
  #else
  private let handle: UnsafeMutablePointer<pthread_mutex_t>
  #endif
  private var value: Value

  /// Guards a value that nobody else holds.
  package init(_ value: sending Value) {
    self.value = value
    handle = .allocate(capacity: 1)
    #if canImport(Darwin)
    handle.initialize(to: os_unfair_lock())
    #else
    handle.initialize(to: pthread_mutex_t())
    let result = pthread_mutex_init(handle, nil)
    precondition(result == 0, "a mutex without attributes can always be made")
    #endif
  }

  deinit {
    #if !canImport(Darwin)
    pthread_mutex_destroy(handle)
    #endif
    handle.deinitialize(count: 1)
    handle.deallocate()
  }

  /// Runs `body` with the value while no other thread can.
  ///
  /// `body` must be short and must not call out: decide under the lock, act outside it.
  @inline(__always)
  package func withLock<Result, Failure>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    #if canImport(Darwin)
    os_unfair_lock_lock(handle)
    defer { os_unfair_lock_unlock(handle) }
    #else
    pthread_mutex_lock(handle)
    defer { pthread_mutex_unlock(handle) }
    #endif
    return try body(&value)
  }
}
