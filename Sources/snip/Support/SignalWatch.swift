import Dispatch
import Foundation

/// Turns signals into requests of ``Interrupts`` for as long as it is kept and not stopped.
final class SignalWatch {
  private let sources: [any DispatchSourceSignal]
  private let signals: [Int32]

  /// Starts watching; a signal sent after this has returned is seen.
  ///
  /// A signal that the process was started to ignore, as by `nohup`, stays ignored.
  ///
  /// - Parameters:
  ///   - interrupts: What the signals ask to end.
  ///   - signals: The signals. The default is those of Ctrl-C and `kill`.
  init(_ interrupts: Interrupts, signals: [Int32] = [SIGINT, SIGTERM]) {
    let queue = DispatchQueue(label: "snip.signals", qos: .userInitiated)
    let registered = DispatchGroup()
    self.signals = signals.filter { !Self.isIgnored($0) }
    sources = self.signals.map { number in
      // The source only watches: without this, the signal would end the process as well.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { interrupts.request() }
      registered.enter()
      source.setRegistrationHandler { registered.leave() }
      source.activate()
      return source
    }
    registered.wait()
  }

  /// Stops watching: from now on the signals end the process.
  func stop() {
    for source in sources { source.cancel() }
    for number in signals { signal(number, SIG_DFL) }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    let previous = signal(number, SIG_IGN)
    // Swift compares no functions; these are addresses, or small numbers in their place.
    let isIgnored = unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    if !isIgnored { signal(number, previous) }
    return isIgnored
  }
}
