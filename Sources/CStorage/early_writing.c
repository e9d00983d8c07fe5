#include "early_writing.h"

#if defined(__linux__)

// For sync_file_range; with the offsets that SQLite itself is built with.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/types.h>

#include "kept_files.h"
#include "write_call.h"

// Starting costs a call of the system, and the disk takes a mebibyte in about a millisecond.
#define PART_SHIFT 20

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

static void start(void) { take_place_of_write(write_early, &next_write); }

void snippet_watch_writes(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

#endif
