internal import CProcess
internal import Foundation

/// What keeps a worker from calls of the system that decoding does not need.
///
/// A worker under the filter starts no process and no program, reaches no network, opens nothing,
/// and looks into no other process, even when the file that it decodes has taken it over. It is a
/// list of what is allowed, written by libseccomp; everything else fails. The limits of memory,
/// time, files and rights hold with it and without.
public enum SystemCallFilter: Hashable, Sendable {
  /// The workers are under it.
  case on
  /// libseccomp is not installed; Debian and Ubuntu call its package `libseccomp2`.
  case libraryMissing
  /// The system refused it, as in some containers.
  case refused(reason: String)
  /// This system has no such filter.
  case unsupported
}

extension SystemCallFilter {
  /// What confining a worker came to, as that says.
  init(status: Int32) {
    self =
      switch status {
      case 0: .on
      case snippet_worker_no_filter_library.rawValue: .libraryMissing
      case 1...: .refused(reason: String(cString: strerror(status)))
      default: .unsupported
      }
  }
}
