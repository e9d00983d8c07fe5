#ifndef SNIPPET_READ_AHEAD_H
#define SNIPPET_READ_AHEAD_H

/// Registers a VFS that reads mapped files ahead as far as a blob needs, copies what is read once,
/// and limits the mapped memory.
///
/// Around each page of a mapped file that is not in memory, Linux reads as much as the disk's
/// read-ahead setting says: megabytes for a blob of 100 kB on some machines, and single pages once
/// that was in vain too often. This VFS reads 256 KiB from the page on. Each time reading reaches
/// the middle of the last range, it reads a range of twice the size after it, up to 2 MiB.
///
/// Pages that follow each other and are in memory, it copies 128 KiB at a time instead of mapping
/// them, which takes half the time for a blob of 10 MB that is read once. It maps pages that are read
/// again soon. It leaves everything else to the default VFS.
///
/// Where the disk reads 8 MiB ahead, 30 cold blobs of 100 kB take 0.3 times as long with it as
/// without; at Linux's default of 128 KiB the two are within 10 %
/// (`Benchmarks --filter cold`, and again with NULL returned here; `/sys/block/…/read_ahead_kb`).
///
/// @return The name to open a connection with; NULL, which stands for the default, where the VFS
/// would improve nothing: on systems other than Linux.
const char *snippet_read_ahead_vfs(void);

enum {
  /// An operation of `sqlite3_file_control`: releases the mapped pages, which count as memory of
  /// this process, once there are too many, and stores in a `sqlite3_int64` how many bytes may be
  /// read before calling it again.
  ///
  /// Only files opened through this VFS know it.
  ///
  /// The limit is 4 MiB, shared by all files. For a file whose pages are mostly read again it is
  /// 16 MiB, less what the others have, but at least 8 MiB.
  snippet_read_ahead_release = 0x534e50
};

#endif
