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

extension MemoryPressure {
  /// Calls a closure whenever the system reports another pressure.
  ///
  /// Apple's systems do. Linux tells no process unasked; there the host calls
  /// ``SnippetLoader/respond(to:)``.
  ///
  /// - Parameter handler: Called on a queue of the system.
  /// - Returns: The observation, which ends with its last reference.
  static func observe(
    _ handler: @escaping @Sendable (MemoryPressure) -> Void
  ) -> any Sendable {
    #if canImport(Darwin)
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
    #else
    return ()
    #endif
  }

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
  #endif
}
