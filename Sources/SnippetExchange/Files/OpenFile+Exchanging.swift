import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

extension OpenFile {
  /// Opens a file to look into it ahead of its import; `nil` if it is a link, no regular file, longer
  /// than a limit, or belongs to a store that is open, whose locks a close would drop.
  static func ahead(
    _ path: String,
    upTo byteCount: Int64 = .max
  ) throws(FileError) -> (file: OpenFile, status: Stat)? {
    guard let status = try? Stat(path, followTargetSymlink: false), status.type == .regular,
      status.size <= byteCount, !StoreSeam.isOpen(FileIdentity(status))
    else { return nil }
    return (try OpenFile(path, options: [.noFollow, .nonBlocking]), status)
  }

  /// Computes the SHA-256 of all bytes, in constant memory; `check` throws to stop that.
  func contentHash(_ check: () throws -> Void) throws -> Data {
    var hash = ContentHash()
    var offset: Int64 = 0
    while true {
      try check()
      let piece = try bytes(at: offset, count: 1 << 18)
      if piece.isEmpty { return hash.finish() }
      piece.withUnsafeBytes { hash.update($0) }
      offset += Int64(piece.count)
    }
  }

  /// Sets the date of the last change, if the file system keeps one.
  func setModificationDate(_ date: Date) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    setModificationDate(
      timespec(
        tv_sec: Int(seconds),
        tv_nsec: Int((date.timeIntervalSince1970 - seconds) * 1_000_000_000)
      )
    )
  }

  /// Sets the date of the last change in nanoseconds since 1970.
  func setModificationDate(nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let isEarlier = rest < 0
    setModificationDate(
      timespec(
        tv_sec: Int(isEarlier ? seconds - 1 : seconds),
        tv_nsec: Int(isEarlier ? rest + 1_000_000_000 : rest)
      )
    )
  }

  /// Gives the file the permissions of another one.
  func setPermissions(likeThoseOf status: Stat) {
    _ = fchmod(descriptor.rawValue, status.permissions.rawValue & 0o777)
  }

  private func setModificationDate(_ time: timespec) {
    _ = withUnsafeBytes(of: (time, time)) { times in
      futimens(descriptor.rawValue, times.assumingMemoryBound(to: timespec.self).baseAddress)
    }
  }
}

extension Date {
  /// The date of a file in nanoseconds since 1970; the nearest one that they reach, from 1677 to 2262.
  var fileNanoseconds: Int64 {
    let (product, isTooFar) = milliseconds.multipliedReportingOverflow(by: 1_000_000)
    guard isTooFar else { return product }
    return milliseconds < 0 ? .min : .max
  }
}
