import Dispatch
import Foundation
import SnippetBase

/// Watches the log of a store for writes of any program, so that a commit is found without waiting
/// for the next look at an interval.
///
/// A commit is visible only after its connection has synchronized the log, by a change of shared
/// memory that the system does not report. So a write is followed by looks at growing intervals.
/// They end when all of a row have found nothing.
final class LogWatch: Sendable {
  private struct State {
    /// The number of looks since the last one that found a commit, or since a write; `nil` if none
    /// is due.
    var lookCount: Int?
    /// The number of looks in a row that have found a commit.
    var findCount = 0
    /// Tells the look that is due from those that an earlier one has become.
    var generation = 0
    var hasReported = false
  }

  /// The pauses after looks that found nothing.
  private static let pauses = (0..<8).map { Duration.milliseconds(1 << $0) }
  /// The pause after one that found a commit: a frame, as observers show no more of them.
  private static let rest = Duration.milliseconds(16)
  /// The pause once this many looks in a row have found one: others commit all the time, and
  /// observers have more to do than to follow.
  private static let longRest = (findCount: 8, pause: Duration.milliseconds(32))

  private let queue: DispatchQueue
  // Unsafe, because a dispatch source is not marked `Sendable` although every call to it is allowed
  // from any thread.
  private nonisolated(unsafe) let source: any DispatchSourceProtocol
  private let look: @Sendable () -> Bool
  private let state = Lock(State())

  /// Whether a write has been reported, as on a network file system none may ever be.
  var hasReported: Bool { state.withLock(\.hasReported) }

  /// Watches from now on, until ``cancel()`` or the release; `nil` if the system cannot.
  ///
  /// `look` is called on the queue, and returns whether it has found a commit.
  init?(path: String, queue: DispatchQueue, look: @escaping @Sendable () -> Bool) {
    guard let source = Self.source(path, queue) else { return nil }
    (self.queue, self.source, self.look) = (queue, source, look)
    source.setEventHandler { [weak self, source] in
      Self.drain(source)
      self?.wasWritten()
    }
    source.resume()
  }

  deinit { source.cancel() }

  /// Ends the watch; a look that has begun ends.
  func cancel() {
    source.cancel()
    state.withLock { state in
      state.lookCount = nil
      state.generation += 1
    }
  }

  private func wasWritten() {
    let generation = state.withLock { state -> Int? in
      state.hasReported = true
      // Looks that follow soon find this write too, so that a program that writes all the time
      // does not make this one look all the time.
      guard state.findCount == 0, state.lookCount ?? .max > 4, !source.isCancelled else {
        return nil
      }
      state.lookCount = 0
      state.generation += 1
      return state.generation
    }
    if let generation { lookOnce(generation) }
  }

  private func lookOnce(_ generation: Int) {
    guard state.withLock(\.generation) == generation else { return }
    let hasFound = look()
    let pause = state.withLock { state -> Duration? in
      guard state.generation == generation, let count = state.lookCount else { return nil }
      guard !hasFound else {
        state.lookCount = 0
        state.findCount += 1
        return state.findCount < Self.longRest.findCount ? Self.rest : Self.longRest.pause
      }
      state.findCount = 0
      guard count < Self.pauses.count else {
        state.lookCount = nil
        return nil
      }
      state.lookCount = count + 1
      return Self.pauses[count]
    }
    guard let pause else { return }
    queue.asyncAfter(deadline: .now() + pause.seconds) { [weak self] in
      self?.lookOnce(generation)
    }
  }

  #if canImport(Darwin)
  private static func source(
    _ path: String,
    _ queue: DispatchQueue
  ) -> (any DispatchSourceProtocol)? {
    let descriptor = open(path, O_EVTONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let source = DispatchSource.makeFileSystemObjectSource(
      fileDescriptor: descriptor,
      eventMask: [.write, .extend],
      queue: queue
    )
    source.setCancelHandler { close(descriptor) }
    return source
  }

  private static func drain(_ source: any DispatchSourceProtocol) {}
  #else
  private static func source(
    _ path: String,
    _ queue: DispatchQueue
  ) -> (any DispatchSourceProtocol)? {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, path, UInt32(IN_MODIFY)) >= 0 else {
      close(descriptor)
      return nil
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setCancelHandler { close(descriptor) }
    return source
  }

  /// Takes all reports of writes, which otherwise would be announced again.
  private static func drain(_ source: any DispatchSourceProtocol) {
    withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
      while read(Int32(source.handle), buffer.baseAddress, buffer.count) > 0 {}
    }
  }
  #endif
}
