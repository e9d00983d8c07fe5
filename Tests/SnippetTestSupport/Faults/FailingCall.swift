import SnippetBase
import SystemPackage

/// A call to the file system made by this package, to make fail in a test process of its own.
package enum FailingCall: String, Codable, Sendable, CaseIterable {
  case write, sync, close, rename

  /// Makes the call fail for files whose paths meet a condition, until ``end()``.
  package func begin(
    _ error: FaultPlan.SystemError,
    at isMeant: @escaping @Sendable (String) -> Bool = { _ in true }
  ) {
    FileCalls.observer = { call in
      let isSame =
        switch call {
        case .write: self == .write
        case .sync: self == .sync
        case .close: self == .close
        case .rename: self == .rename
        default: false
        }
      return isSame && isMeant(call.path) ? Errno(rawValue: error.code) : nil
    }
  }

  /// Lets all calls go on.
  package static func end() { FileCalls.observer = nil }
}
