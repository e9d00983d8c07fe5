import CStorage
package import SystemPackage

/// Properties of a path, found without opening the file.
package enum FileStatus {
  /// Returns the size of the file at a path; 0 if there is none.
  package static func byteCount(of path: String) -> Int64 {
    (try? Stat(path))?.size ?? 0
  }

  /// Whether there is anything at a path.
  package static func exists(_ path: String) -> Bool {
    (try? Stat(path, followTargetSymlink: false)) != nil
  }

  /// Returns the target of a link; any other path, and a broken link, is returned unchanged.
  package static func target(of path: String) -> String {
    guard let place = try? FileSystem.place(of: path), exists(place) else { return path }
    return place
  }

  /// Whether this process may write to a file.
  package static func isWritable(_ path: String) -> Bool {
    access(path, W_OK) == 0
  }

  /// An attribute that protects a file, or what is in a folder, even from root.
  package enum Protection: Sendable {
    case appendOnly
    case immutable

    /// Advice to clear it, for an error.
    package var advice: String {
      #if os(Linux)
      return "Clear the attribute with chattr \(self == .immutable ? "-i" : "-a"); lsattr shows it."
      #else
      return "Clear the flag with chflags; ls -lO shows it."
      #endif
    }
  }

  /// Returns the attribute that protects a path; `nil` if there is none, or if the system does not
  /// tell.
  package static func protection(of path: String) -> Protection? {
    switch snippet_protection(path) {
    case 2: .immutable
    case 1: .appendOnly
    default: nil
    }
  }

  /// Whether a path is the root of a mount, as a single file is that is mounted elsewhere.
  ///
  /// `false` where the system does not tell.
  package static func isMountRoot(_ path: String) -> Bool {
    snippet_is_mount_root(path) != 0
  }

  /// Whether a path is a regular file, or a link to one, or a broken link; `nil` if there is
  /// nothing.
  package static func isRegular(_ path: String) -> Bool? {
    guard exists(path) else { return nil }
    return (try? Stat(path)).map { $0.type == .regular } ?? true
  }
}

/// The identity of a file on its disk, independent of its names.
package struct FileIdentity: Hashable {
  private let device: DeviceID
  private let inode: Inode

  /// Takes the identity from the status of a file.
  package init(_ status: Stat) {
    device = status.deviceID
    inode = status.inode
  }

  /// Returns the identity of the file at a path without opening it; `nil` if there is none.
  package init?(path: String) {
    guard let status = try? Stat(path) else { return nil }
    self.init(status)
  }
}
