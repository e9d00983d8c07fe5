import Dispatch
import Foundation

/// Reports signals until it is released or stopped.
package final class SignalWatch {
  private let sources: [any DispatchSourceSignal]
  private let signals: [Int32]

  /// Starts watching; every signal sent after this returns is seen.
  ///
  /// - Parameters:
  ///   - signals: The signals. One that the process was started to ignore stays ignored.
  ///   - handler: Receives the number of the signal, on a thread of its own.
  package init(_ signals: [Int32], handler: @escaping @Sendable (Int32) -> Void) {
    let queue = DispatchQueue(label: "snip.signals", qos: .userInitiated)
    let registered = DispatchGroup()
    let signals = signals.filter { !Self.isIgnored($0) }
    self.signals = signals
    // A signal sent during this is held back: it must neither end the process half-way nor get
    // lost.
    sources = Self.withBlocked(signals) {
      let sources = signals.map { number in
        // The source only watches: without a handler, the signal would still end the process.
        // Ignoring the signal would drop one that is pending.
        signal(number) { _ in }
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler { handler(number) }
        registered.enter()
        source.setRegistrationHandler { registered.leave() }
        source.activate()
        return source
      }
      registered.wait()
      return sources
    }
  }

  /// Stops watching: from now on the signals end the process.
  package func stop() {
    for source in sources { source.cancel() }
    for number in signals { signal(number, SIG_DFL) }
  }

  /// Tells whether this process ignores a signal now.
  ///
  /// - Parameter number: The number of the signal.
  /// - Returns: Whether it is ignored.
  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
    let handler = action.__sigaction_u.__sa_handler
    #else
    let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private static func withBlocked<Result>(_ signals: [Int32], _ body: () -> Result) -> Result {
    var blocked = sigset_t()
    var previous = sigset_t()
    sigemptyset(&blocked)
    for number in signals { sigaddset(&blocked, number) }
    pthread_sigmask(SIG_BLOCK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    return body()
  }
}
