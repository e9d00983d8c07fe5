#if canImport(Darwin)
internal import Dispatch
#endif

/// How short memory is.
public enum MemoryPressure: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// There is enough.
  case normal
  /// It is becoming short.
  case warning
  /// The system is about to kill processes for lack of it.
  case critical

  /// Whether memory is less short.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Tells how short memory is.
package protocol MemoryPressureFeed: Sendable {
  /// Calls a closure whenever the pressure becomes another.
  ///
  /// - Parameter handler: Called on any thread. It does not block.
  /// - Returns: The observation, which ends with its last reference.
  func observePressure(_ handler: @escaping @Sendable (MemoryPressure) -> Void) -> any Sendable
}

/// The pressure as the system tells of it.
///
/// Apple's systems do. Linux tells no process unasked; there the host calls
/// ``SnippetLoader/respond(to:)`` by what it knows, or brings a source of its own.
package struct SystemMemoryPressure: MemoryPressureFeed {
  /// Makes a source; all of them tell the same.
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

  /// Calls a closure whenever the pressure becomes another.
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
  /// Does nothing: this system tells of no pressure.
  ///
  /// - Parameter handler: Never called.
  /// - Returns: Nothing of use.
  package func observePressure(
    _ handler: @escaping @Sendable (MemoryPressure) -> Void
  ) -> any Sendable {
    ()
  }
  #endif
}
