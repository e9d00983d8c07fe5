#if canImport(Darwin)
internal import Dispatch
#endif

/// The shortage of memory.
public enum MemoryPressure: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// There is enough memory.
  case normal
  /// Memory is becoming short.
  case warning
  /// The system is about to kill processes for lack of it.
  case critical

  /// Whether the left pressure is lower.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Reports the shortage of memory.
package protocol MemoryPressureFeed: Sendable {
  /// Calls a closure whenever the pressure changes.
  ///
  /// - Parameter handler: Called on any thread. It does not block.
  /// - Returns: The observation, which ends with its last reference.
  func observePressure(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> any Sendable
}

/// The memory pressure that the system reports.
///
/// Apple's systems report it. Linux does not report it unasked; there the host calls
/// ``SnippetLoader/memoryPressureDidChange(_:)`` itself, or brings a source of its own.
package struct SystemMemoryPressure: MemoryPressureFeed {
  /// Makes a source; all of them report the same.
  package init() {}

  #if canImport(Darwin)
  // Unchecked, because a dispatch source is not marked `Sendable` although every call to it is
  // allowed from any thread.
  private final class Observation: @unchecked Sendable {
    private let source: any DispatchSourceMemoryPressure

    init(_ source: any DispatchSourceMemoryPressure) {
      self.source = source
    }

    deinit { source.cancel() }
  }

  /// Calls a closure whenever the pressure changes.
  ///
  /// - Parameter handler: Called on a queue of the system.
  /// - Returns: The observation, which ends with its last reference.
  package func observePressure(
    _ handler: @escaping @Sendable (MemoryPressure) -> Void
  ) -> any Sendable {
    let source = DispatchSource.makeMemoryPressureSource(
      eventMask: [.normal, .warning, .critical],
      queue: .global(qos: .userInitiated)
    )
    source.setEventHandler { [weak source] in
      guard let event = source?.data else { return }
      handler(event.contains(.critical) ? .critical : event.contains(.warning) ? .warning : .normal)
    }
    source.activate()
    return Observation(source)
  }
  #else
  /// Does nothing: this system reports no pressure.
  ///
  /// - Parameter handler: Never called.
  /// - Returns: An empty placeholder.
  package func observePressure(
    _ handler: @escaping @Sendable (MemoryPressure) -> Void
  ) -> any Sendable {
    ()
  }
  #endif
}
