/// What a file is on its disk, however it is called.
package struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// The identity of the file that a status tells of.
  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  /// The identity of the file at a path, which is not opened; `nil` when there is none.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
