#include "early_writing.h"

#if defined(__linux__)

// For sync_file_range; with the offsets that SQLite itself is built with.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <sys/types.h>

#include "kept_files.h"

// Starting costs a call of the system, and the disk takes a mebibyte in about a millisecond.
#define PART_SHIFT 20

typedef ssize_t (*Write)(int, const void *, size_t, off_t);

// The call that the one below took the place of.
static Write next_write;

static ssize_t write_early(int descriptor, const void *bytes, size_t count, off_t offset) {
  ssize_t written = next_write(descriptor, bytes, count, offset);
  if (written <= 0) return written;
  off_t part = offset >> PART_SHIFT;
  off_t end = (offset + written) >> PART_SHIFT;
  if (part == end || !snippet_is_written_early(descriptor)) return written;
  int error = errno;
  // Only waiting would take an error away from the next fdatasync, and this does not wait.
  sync_file_range(
    descriptor, part << PART_SHIFT, (end - part) << PART_SHIFT, SYNC_FILE_RANGE_WRITE);
  errno = error;
  return written;
}

static void start(void) {
  sqlite3_vfs *unix_vfs = sqlite3_vfs_find("unix");
  if (!unix_vfs || unix_vfs->iVersion < 3 || !unix_vfs->xSetSystemCall) return;
  // It uses one of them, as it is built.
  const char *name = "pwrite64";
  next_write = (Write)unix_vfs->xGetSystemCall(unix_vfs, name);
  if (!next_write) {
    name = "pwrite";
    next_write = (Write)unix_vfs->xGetSystemCall(unix_vfs, name);
  }
  if (!next_write) return;
  unix_vfs->xSetSystemCall(unix_vfs, name, (sqlite3_syscall_ptr)write_early);
}

void snippet_watch_writes(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

#endif
