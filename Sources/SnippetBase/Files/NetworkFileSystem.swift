import CStorage

/// Recognizes files on another machine, or behind a program that may end.
///
/// Such a file is never mapped: if the connection breaks, a system call returns an error, but
/// access to mapped memory kills the process.
package enum NetworkFileSystem {
  /// Whether a path lies on such a file system; `false` if that is unknown.
  package static func holds(_ path: String) -> Bool {
    kinds.contains(snippet_file_system_kind(path))
  }

  /// Whether only an `fsync` of each file tells what the file system of a path could not write.
  package static func tellsFailuresByFile(_ path: String) -> Bool {
    let kind = snippet_file_system_kind(path)
    return kinds.contains(kind) || stackedKinds.contains(kind)
  }

  /// The file system numbers of Linux, from `linux/magic.h` and the sources of each file system.
  package static let kinds: Set<UInt32> = [
    0x6969,  // NFS
    0x517B,  // SMB
    0xFF53_4D42,  // CIFS
    0xFE53_4D42,  // SMB 2
    0x0102_1997,  // 9P
    0x6573_5546,  // FUSE, by which sshfs and many others are made
    0x00C3_6400,  // Ceph
    0x5346_414F,  // AFS
    0x6B41_4653,  // AFS of the kernel
    0x7375_7245,  // Coda
    0x564C,  // NCP
    0x0BD0_0BD0,  // Lustre
    0x4750_4653,  // GPFS
    0x0116_1970,  // GFS2
    0x7461_636F,  // OCFS2
    0x786F_4256,  // shared folders of VirtualBox
    0xBACB_ACBC,  // shared folders of VMware
    0x1983_0326,  // BeeGFS
  ]

  /// The numbers of file systems of this machine that pass no `syncfs` on to the one below them.
  package static let stackedKinds: Set<UInt32> = [
    0xF15F  // eCryptfs
  ]
}
