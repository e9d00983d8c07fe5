package import SystemPackage

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
