#ifndef SNIPPET_READ_AHEAD_H
#define SNIPPET_READ_AHEAD_H

/// Gives SQLite a way to the file system that reads mapped files ahead as far as a blob needs.
///
/// Of a mapped file that is not in memory yet, Linux reads as much around each page as the disk is
/// set to read ahead, on both its sides: megabytes for a blob of 100 kB on some machines, and a
/// single page at a time once that was in vain too often. Here 256 KiB are asked for from about the
/// page on, and once reading is in the middle of that, twice as much after it, up to 2 MiB. All else
/// is left to the VFS that is the default.
///
/// @return The name to open a connection with; NULL, which stands for the default, where there is
/// nothing to better: elsewhere than on Linux.
const char *snippet_read_ahead_vfs(void);

enum {
  /// An operation of `sqlite3_file_control`: lets go of the mapped pages that count as memory of
  /// this process once they are many, and tells in a `sqlite3_int64` how many bytes may be read
  /// before it is worth asking again. Known to files that were opened this way only.
  ///
  /// Many are 4 MiB, of which each of several files has its share; or 8 MiB of a file, where most
  /// are looked at again each time.
  snippet_read_ahead_release = 0x534e50
};

#endif
