#include "read_ahead.h"

#if !defined(__linux__)

const char *snippet_read_ahead_vfs(void) { return 0; }

#else

// For mincore.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

// A file is followed in parts of 64 KiB, as much as the system maps with one page when its
// neighbours are in memory, and only as far as SQLite maps, which is 2 GiB.
#define PART_SHIFT 16
#define PART_SIZE (1 << PART_SHIFT)
#define PART_COUNT (1 << (31 - PART_SHIFT))
#define MOST_MAPPED 2147418112
// The numbers of parts that may stay mapped: of all files together, and of one among several.
#define MOST_TOUCHED (4 << 20 >> PART_SHIFT)
#define SHARE_OF_TOUCHED (MOST_TOUCHED / 3)
// The same for a file whose parts are mostly read again: mapping 10 MB anew takes longer than
// copying it twice.
#define MOST_TOUCHED_AGAIN (16 << 20 >> PART_SHIFT)
#define SHARE_OF_TOUCHED_AGAIN (MOST_TOUCHED_AGAIN / 2)
#define LEAST_ROOM 4
// The number of parts assumed to be still in memory because they were a moment ago: asking the
// system takes as long as reading some kilobytes.
#define MOST_ASKED (32 << 20 >> PART_SHIFT)
#define FIRST_AHEAD (256 << 10)
#define MOST_AHEAD (2 << 20)
// Small enough to stay in a processor's second cache.
#define WINDOW_SIZE (128 << 10)
// No page of the system is smaller.
#define LEAST_PAGE 4096

// One connection's file, followed in memory by that of the VFS beneath. SQLite calls it on one
// thread at a time.
typedef struct {
  sqlite3_file base;
  char *mapping;         // where the file begins in memory
  sqlite3_int64 end;     // the end of the last range that was read ahead
  sqlite3_int64 ahead;   // its size
  sqlite3_int64 middle;  // its middle: a read there starts the next
  sqlite3_int64 given;   // the end of the furthest page that SQLite got
  int touched_count;
  int again_count;  // touched parts that were released not long ago
  int former_count;
  int asked_count;
  const char *path;
  sqlite3_int64 next;          // the end of the last page that SQLite got
  sqlite3_file *copied;        // the same file, not mapped
  char *window;                // a copy of bytes of the file
  sqlite3_int64 window_start;  // where they lie in the file
  int window_count;            // their number; 0 once they may have changed
  int window_use_count;        // pages in the window that SQLite has
  int has_tried_window;        // to allocate it
  unsigned char touched[PART_COUNT / 8];  // SQLite got a page of them since the last release
  unsigned char former[PART_COUNT / 8];   // touched before a release, or copied
  unsigned char asked[PART_COUNT / 8];    // in memory, or being read
} File;

static sqlite3_vfs *beneath;

// Over all files.
static atomic_int total_touched_count;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((File *)file + 1); }

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int has(const unsigned char *parts, sqlite3_int64 part) {
  return parts[part >> 3] >> (part & 7) & 1;
}

static void add(unsigned char *parts, sqlite3_int64 part) { parts[part >> 3] |= 1 << (part & 7); }

static void add_asked(File *file, sqlite3_int64 part) {
  add(file->asked, part);
  file->asked_count++;
}

static int is_resident(char *start, size_t count) {
  unsigned char pages[PART_SIZE / LEAST_PAGE] = {0};
  // Fails where the file ends.
  if (mincore(start, count, pages) != 0) return 0;
  for (size_t page = 0; page < count / LEAST_PAGE; page++) {
    if (!(pages[page] & 1)) return 0;
  }
  return 1;
}

static int is_page_resident(File *file, sqlite3_int64 offset) {
  return is_resident(file->mapping + (offset & ~(sqlite3_int64)(LEAST_PAGE - 1)), LEAST_PAGE);
}

static sqlite3_int64 mapped_size(File *file) {
  sqlite3_int64 size = 0;
  if (file_size(&file->base, &size) != SQLITE_OK) return 0;
  return size < MOST_MAPPED ? size : MOST_MAPPED;
}

static void forget_asked(File *file) {
  // Parts that were in memory then may have left it.
  memset(file->asked, 0, sizeof file->asked);
  file->asked_count = 0;
  file->ahead = 0;
}

static void forget_former(File *file) {
  memset(file->former, 0, sizeof file->former);
  file->former_count = 0;
}

static void forget_touched(File *file) {
  memset(file->touched, 0, sizeof file->touched);
  atomic_fetch_sub(&total_touched_count, file->touched_count);
  file->touched_count = 0;
  file->again_count = 0;
}

static void begin_mapping(File *file, char *mapping) {
  forget_touched(file);
  forget_asked(file);
  file->mapping = mapping;
  file->given = 0;
  // Keeps the system from reading around each page. Advice may fail, since it only affects speed.
  madvise(mapping, mapped_size(file), MADV_RANDOM);
}

// Starts reading some bytes without waiting for them.
static void ask(File *file, sqlite3_int64 start, sqlite3_int64 count) {
  sqlite3_int64 end = mapped_size(file);
  if (start >= end) return;
  if (end > start + count) end = start + count;
  madvise(file->mapping + start, end - start, MADV_WILLNEED);
  file->end = start + count;
  file->ahead = count;
  file->middle = start + count / 2;
  for (sqlite3_int64 part = start >> PART_SHIFT; part << PART_SHIFT < end; part++) {
    // Except the middle, which has to start the next range.
    if (part << PART_SHIFT != file->middle) add_asked(file, part);
  }
}

static void read_ahead(File *file, sqlite3_int64 offset, int count, char *page) {
  char *mapping = page - offset;
  if (mapping != file->mapping) begin_mapping(file, mapping);
  if (file->given < offset + count) file->given = offset + count;
  sqlite3_int64 part = offset >> PART_SHIFT;
  if (part >= PART_COUNT || has(file->touched, part)) return;
  add(file->touched, part);
  file->touched_count++;
  atomic_fetch_add(&total_touched_count, 1);
  if (has(file->former, part)) file->again_count++;
  if (has(file->asked, part)) return;
  add_asked(file, part);

  sqlite3_int64 start = part << PART_SHIFT;
  if (start == file->middle && file->ahead > 0) {
    ask(file, file->end, file->ahead * 2 < MOST_AHEAD ? file->ahead * 2 : MOST_AHEAD);
  } else if (!is_resident(mapping + start, PART_SIZE)) {
    ask(file, start, FIRST_AHEAD);
  }
}

// Whether the path of a file names another one now.
static int has_moved(sqlite3_file *file) {
  int moved = 1;
  int result = file->pMethods->xFileControl(file, SQLITE_FCNTL_HAS_MOVED, &moved);
  return result != SQLITE_OK || moved;
}

// Opens the file again, without mapping it: SQLite reads a mapped file from its mapping. Only SQLite
// can open and close the file of a connection that has POSIX locks on it.
static sqlite3_file *open_again(File *file) {
  sqlite3_file *again = sqlite3_malloc(beneath->szOsFile);
  if (!again) return 0;
  memset(again, 0, (size_t)beneath->szOsFile);
  int flags = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY;
  int result = beneath->xOpen(beneath, file->path, again, flags, &flags);
  if (result == SQLITE_OK && !has_moved(again) && !has_moved(real(&file->base))) return again;
  if (again->pMethods) again->pMethods->xClose(again);
  sqlite3_free(again);
  return 0;
}

// Allocates the window at its first use. A failure only affects speed, and is not tried again.
static int has_window(File *file) {
  if (file->has_tried_window) return file->window != 0;
  file->has_tried_window = 1;
  file->copied = open_again(file);
  if (file->copied) file->window = sqlite3_malloc(WINDOW_SIZE);
  return file->window != 0;
}

// Whether a copy of some bytes leaves the disk alone. To read them from there, the system would read
// ahead as far as the disk is set to.
static int is_in_memory(File *file, sqlite3_int64 start, int count) {
  // Nothing tells of what is not mapped, and SQLite would read it from the same descriptor.
  if (start + count > MOST_MAPPED) return 1;
  // Where both ends are in memory, the rest almost always is.
  return file->mapping && is_page_resident(file, start) && is_page_resident(file, start + count - 1);
}

static int fill_window(File *file, sqlite3_int64 start, int least) {
  sqlite3_int64 size = 0;
  if (file_size(&file->base, &size) != SQLITE_OK) return 0;
  int count = size - start < WINDOW_SIZE ? (int)(size - start) : WINDOW_SIZE;
  if (count < least || !is_in_memory(file, start, count) || !has_window(file)) return 0;
  file->window_count = 0;
  if (file->copied->pMethods->xRead(file->copied, file->window, count, start) != SQLITE_OK) return 0;
  file->window_start = start;
  file->window_count = count;
  return 1;
}

// Returns a page that follows the last one from a copy of many, or NULL if it is to be mapped:
// mapping takes twice as long as copying, and is worth it for what is read again.
static char *copied_page(File *file, sqlite3_int64 offset, int count) {
  int follows = offset == file->next;
  file->next = offset + count;
  sqlite3_int64 place = offset - file->window_start;
  if (place >= 0 && place + count <= file->window_count) return file->window + place;
  if (!follows || file->window_use_count > 0) return 0;
  sqlite3_int64 part = offset >> PART_SHIFT;
  if (part < PART_COUNT && (has(file->touched, part) || has(file->former, part))) return 0;
  if (!fill_window(file, offset, count)) return 0;
  sqlite3_int64 last = (offset + file->window_count - 1) >> PART_SHIFT;
  for (; part <= last && part < PART_COUNT; part++) {
    if (has(file->former, part)) continue;
    add(file->former, part);
    file->former_count++;
  }
  if (file->former_count > MOST_TOUCHED_AGAIN) forget_former(file);
  return file->window;
}

// After a snapshot, other connections may write what the window holds. During one, they write only
// what SQLite does not read from this file.
static void empty_window(sqlite3_file *file) { ((File *)file)->window_count = 0; }

// Adds the touched parts to the former ones, or starts again when there are too many.
static void remember(File *file) {
  int new_count = file->touched_count - file->again_count;
  int is_full = file->former_count + new_count > MOST_TOUCHED_AGAIN;
  for (size_t i = 0; i < sizeof file->former; i++) {
    file->former[i] = file->touched[i] | (is_full ? 0 : file->former[i]);
  }
  file->former_count = is_full ? file->touched_count : file->former_count + new_count;
}

// The number of parts of a file that may stay mapped.
static int most_touched(const File *file) {
  int is_read_again = file->again_count * 2 > file->touched_count;
  int others = atomic_load(&total_touched_count) - file->touched_count;
  int rest = (is_read_again ? MOST_TOUCHED_AGAIN : MOST_TOUCHED) - others;
  int share = is_read_again ? SHARE_OF_TOUCHED_AGAIN : SHARE_OF_TOUCHED;
  return rest < share ? share : rest;
}

// Releases the mapped pages when there are too many; returns how many more bytes may be read first.
static sqlite3_int64 release(File *file) {
  if (file->mapping && file->touched_count > most_touched(file)) {
    remember(file);
    // Only as far as SQLite got pages: the file may be longer by now than its mapping. A page in use
    // comes back as it was, because it is the file's.
    madvise(file->mapping, file->given, MADV_DONTNEED);
    forget_touched(file);
    if (file->asked_count > MOST_ASKED) forget_asked(file);
  }
  // Never 0, or every read would release.
  int room = most_touched(file) - file->touched_count;
  return (sqlite3_int64)(room < LEAST_ROOM ? LEAST_ROOM : room) << PART_SHIFT;
}

static int file_close(sqlite3_file *file) {
  File *closed = (File *)file;
  forget_touched(closed);
  if (closed->copied) closed->copied->pMethods->xClose(closed->copied);
  sqlite3_free(closed->copied);
  sqlite3_free(closed->window);
  int result = real(file)->pMethods->xClose(real(file));
  file->pMethods = 0;
  return result;
}

static int file_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), bytes, count, offset);
}

static int file_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int file_sync(sqlite3_file *file, int flags) {
  return real(file)->pMethods->xSync(real(file), flags);
}

static int file_lock(sqlite3_file *file, int level) {
  empty_window(file);
  return real(file)->pMethods->xLock(real(file), level);
}

static int file_unlock(sqlite3_file *file, int level) {
  empty_window(file);
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int file_check_reserved_lock(sqlite3_file *file, int *is_reserved) {
  return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}

// The next mapping may lie where this one did.
static void end_mapping(File *file) {
  file->mapping = 0;
  forget_touched(file);
}

static int file_control(sqlite3_file *file, int operation, void *argument) {
  if (operation == snippet_read_ahead_release) {
    *(sqlite3_int64 *)argument = release((File *)file);
    return SQLITE_OK;
  }
  if (operation == SQLITE_FCNTL_MMAP_SIZE || operation == SQLITE_FCNTL_SIZE_HINT) {
    end_mapping((File *)file);
  }
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int file_sector_size(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int file_device_characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int file_shm_map(sqlite3_file *file, int region, int size, int extends,
                        void volatile **memory) {
  return real(file)->pMethods->xShmMap(real(file), region, size, extends, memory);
}

static int file_shm_lock(sqlite3_file *file, int offset, int count, int flags) {
  empty_window(file);
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

static int file_shm_unmap(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static int file_fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **page) {
  File *fetched = (File *)file;
  // The system's calls below may fail, as at the end of a file. That is no cause of a later error.
  int cause = errno;
  char *copied = copied_page(fetched, offset, count);
  errno = cause;
  if (copied) {
    fetched->window_use_count++;
    *page = copied;
    return SQLITE_OK;
  }
  int result = real(file)->pMethods->xFetch(real(file), offset, count, page);
  if (result == SQLITE_OK && *page) {
    cause = errno;
    read_ahead(fetched, offset, count, *page);
    errno = cause;
  }
  return result;
}

static int file_unfetch(sqlite3_file *file, sqlite3_int64 offset, void *page) {
  File *fetched = (File *)file;
  char *window = fetched->window;
  if (page && window && (char *)page >= window && (char *)page < window + WINDOW_SIZE) {
    fetched->window_use_count--;
    return SQLITE_OK;
  }
  // SQLite unmaps the file in this way when another connection has written.
  if (!page) end_mapping(fetched);
  return real(file)->pMethods->xUnfetch(real(file), offset, page);
}

// By the version of the methods beneath, less one.
#define METHODS(version)                                                                        \
  {                                                                                             \
    version, file_close, file_read, file_write, file_truncate, file_sync, file_size, file_lock, \
        file_unlock, file_check_reserved_lock, file_control, file_sector_size,                  \
        file_device_characteristics, file_shm_map, file_shm_lock, file_shm_barrier,             \
        file_shm_unmap, file_fetch, file_unfetch                                                \
  }
static const sqlite3_io_methods methods[] = {METHODS(1), METHODS(2), METHODS(3)};

static int vfs_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given) {
  (void)vfs;
  memset(file, 0, sizeof(File));
  ((File *)file)->path = path;
  int result = beneath->xOpen(beneath, path, real(file), flags, given);
  // SQLite closes a file with methods, even one that could not be opened.
  if (real(file)->pMethods) {
    int version = real(file)->pMethods->iVersion;
    file->pMethods = &methods[(version > 3 ? 3 : version) - 1];
  }
  return result;
}

static sqlite3_vfs ours;

static int register_over(sqlite3_vfs *found) {
  beneath = found;
  // SQLite's own functions only use the copied parts of the structure.
  ours = *found;
  ours.pNext = 0;
  ours.zName = "snippet-read-ahead";
  ours.szOsFile = (int)sizeof(File) + found->szOsFile;
  ours.xOpen = vfs_open;
  int result = sqlite3_vfs_register(&ours, 0);
  if (result != SQLITE_OK) ours.zName = 0;
  return result;
}

const char *snippet_read_ahead_vfs(void) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  // Another default VFS has its reasons, and may not map files at all.
  sqlite3_vfs *found = sqlite3_vfs_find(0);
  if (!found || strncmp(found->zName, "unix", 4) != 0) return 0;
  pthread_mutex_lock(&lock);
  int is_ready = ours.zName ? found == beneath : register_over(found) == SQLITE_OK;
  pthread_mutex_unlock(&lock);
  return is_ready ? ours.zName : 0;
}

#endif
