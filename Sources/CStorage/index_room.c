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
#include <sqlite3.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

// Those of SQLite (`unixShmMap`), whatever pages the system has.
#define PAGE_SIZE_OF_INDEX 4096

typedef ssize_t (*Write)(int, const void *, size_t, off_t);

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
  unix_vfs->xSetSystemCall(unix_vfs, name, (sqlite3_syscall_ptr)write_whole_page);
}

void snippet_allocate_index_pages(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
}

#endif
