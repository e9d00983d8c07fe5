package import SystemPackage

/// What a file is on its disk, however it is called.
package struct FileIdentity: Hashable {
  private let device: DeviceID
  private let inode: Inode

  /// The identity of the file that a status describes.
  package init(_ status: Stat) {
    device = status.deviceID
    inode = status.inode
  }

  /// The identity of the file at a path, which is not opened; `nil` when there is none.
  package init?(path: String) {
    guard let status = try? Stat(path) else { return nil }
    self.init(status)
  }
}
