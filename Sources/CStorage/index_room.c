#include "index_room.h"

#if !defined(__linux__)

void snippet_allocate_index_pages(void) {}

#else

// For fallocate; with the offsets that SQLite itself is built with.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include "write_call.h"

// Those of SQLite (`unixShmMap`), whatever pages the system has.
#define PAGE_SIZE_OF_INDEX 4096

// The call that the one below took the place of.
static Write next_write;

// Writes zeros where a page lies beyond the end of the file.
static int fill(int descriptor, off_t start) {
  static const char zeros[PAGE_SIZE_OF_INDEX];
  struct stat status;
  if (fstat(descriptor, &status) != 0) return -1;
  off_t next = status.st_size > start ? status.st_size : start;
  off_t end = start + PAGE_SIZE_OF_INDEX;
  while (next < end) {
    ssize_t count = next_write(descriptor, zeros, (size_t)(end - next), next);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return -1;
    next += count;
  }
  return 0;
}

static int allocate(int descriptor, off_t start) {
  int result;
  do {
    result = fallocate(descriptor, 0, start, PAGE_SIZE_OF_INDEX);
  } while (result != 0 && errno == EINTR);
  if (result == 0 || errno == ENOSPC || errno == EDQUOT || errno == EIO) return result;
  // Not every file system can.
  return fill(descriptor, start);
}

static ssize_t write_whole_page(int descriptor, const void *bytes, size_t count, off_t offset) {
  // SQLite writes a single byte there for nothing else.
  if (count == 1 && offset % PAGE_SIZE_OF_INDEX == PAGE_SIZE_OF_INDEX - 1) {
    if (allocate(descriptor, offset + 1 - PAGE_SIZE_OF_INDEX) != 0) return -1;
  }
  return next_write(descriptor, bytes, count, offset);
}

static void start(void) { take_place_of_write(write_whole_page, &next_write); }

void snippet_allocate_index_pages(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

#endif
