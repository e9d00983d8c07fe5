internal import CProcess
internal import Foundation

/// The filter that keeps a worker from system calls that decoding does not need.
///
/// Under the filter a worker starts no process or program, reaches no network, opens nothing, and
/// looks into no other process, even after the file being decoded has taken it over. The filter is
/// a list of allowed calls, installed with libseccomp; everything else fails. The limits of memory,
/// time, files and rights apply with or without it.
package enum SystemCallFilter: Hashable, Sendable {
  /// Workers run under the filter.
  case on
  /// libseccomp is not installed; its package in Debian and Ubuntu is `libseccomp2`.
  case libraryMissing
  /// The system refused the filter, as some containers do.
  case refused(reason: String)
  /// This system has no such filter.
  case unsupported
}

extension SystemCallFilter {
  /// Converts the status of confining a worker.
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
