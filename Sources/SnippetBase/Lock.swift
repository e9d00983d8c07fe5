#if canImport(Darwin)
import os
#endif

/// A value that only one thread at a time can access.
///
/// Thread Sanitizer does not understand how the standard library's `Mutex` waits on Linux, and
/// reports false races for everything it protects. A pthread mutex does not have this problem, and
/// is faster there. On Apple platforms this is the unfair lock, which lends its holder the priority
/// of waiting threads.
///
/// The lock is not recursive: code under it must not call unknown code.
///
/// It is public because other modules would not specialize a `package` function for their state,
/// and half as much time again would go into each use.
public struct Lock<State: Sendable>: @unchecked Sendable {
  // Unchecked, because the compiler cannot see that `storage` is accessed only between `lock` and
  // `unlock`: `withLock` is the only access, and a `Sendable` state cannot leave a shared part
  // behind.
  @usableFromInline let storage: LockStorage<State>

  /// Makes a lock around a state.
  public init(_ state: State) {
    storage = .make(holding: state)
  }

  /// Calls `body` with the state, which no other thread can access before it returns.
  @inlinable
  public func withLock<Value, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try storage.withUnsafeMutablePointers { (state, primitive) throws(Failure) in
      LockPrimitive.lock(primitive)
      defer { LockPrimitive.unlock(primitive) }
      return try body(&state.pointee)
    }
  }
}

/// The state and the system's lock in one allocation, whose address never changes.
@usableFromInline
final class LockStorage<State>: ManagedBuffer<State, LockPrimitive.Value> {
  static func make(holding state: State) -> LockStorage {
    let buffer = create(minimumCapacity: 1) { _ in state }
    buffer.withUnsafeMutablePointerToElements { LockPrimitive.initialize($0) }
    return unsafeDowncast(buffer, to: LockStorage.self)
  }

  @usableFromInline deinit {
    withUnsafeMutablePointerToElements { LockPrimitive.destroy($0) }
  }
}

/// The system's lock, with the same names on all platforms.
@usableFromInline
enum LockPrimitive {
  #if canImport(Darwin)
  @usableFromInline typealias Value = os_unfair_lock_s

  static func initialize(_ pointer: UnsafeMutablePointer<Value>) {
    pointer.initialize(to: os_unfair_lock_s())
  }

  static func destroy(_ pointer: UnsafeMutablePointer<Value>) {
    pointer.deinitialize(count: 1)
  }

  @usableFromInline static func lock(_ pointer: UnsafeMutablePointer<Value>) {
    os_unfair_lock_lock(pointer)
  }

  @usableFromInline static func unlock(_ pointer: UnsafeMutablePointer<Value>) {
    os_unfair_lock_unlock(pointer)
  }
  #else
  @usableFromInline typealias Value = pthread_mutex_t

  static func initialize(_ pointer: UnsafeMutablePointer<Value>) {
    pointer.initialize(to: pthread_mutex_t())
    let status = pthread_mutex_init(pointer, nil)
    precondition(status == 0, "The system has no room for a mutex.")
  }

  static func destroy(_ pointer: UnsafeMutablePointer<Value>) {
    pthread_mutex_destroy(pointer)
    pointer.deinitialize(count: 1)
  }

  @usableFromInline static func lock(_ pointer: UnsafeMutablePointer<Value>) {
    let status = pthread_mutex_lock(pointer)
    precondition(status == 0, "The mutex was locked twice by one thread.")
  }

  @usableFromInline static func unlock(_ pointer: UnsafeMutablePointer<Value>) {
    pthread_mutex_unlock(pointer)
  }
  #endif
}
