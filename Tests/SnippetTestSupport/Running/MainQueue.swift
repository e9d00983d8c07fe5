import Dispatch

/// Tells whether code runs on the main queue, where the main actor does.
///
/// `Thread.isMainThread` does not: on Linux another thread may serve the main queue.
package enum MainQueue {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the calling code runs on the main queue.
  package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
