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
  /// An operation of `sqlite3_file_control`: how many bytes of the mapping may count as memory of
  /// this process, into a `sqlite3_int64`. Known to files that were opened this way only.
  snippet_read_ahead_touched = 0x534e50
};

#endif
