import Dispatch

/// Whether code runs on the main queue, as the main actor does.
///
/// `Thread.isMainThread` does not tell: on Linux another thread may serve the main queue.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the calling code runs on the main queue.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
