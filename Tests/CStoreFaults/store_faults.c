// For the locks of open file descriptions.
#define _GNU_SOURCE
#include "store_faults.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_DESCRIPTORS 4096

static snippet_call_hook told;
static void *told_context;
static char *folder;
static size_t folder_length;

static int is_watched(const char *path) {
  return path != NULL && strncmp(path, folder, folder_length) == 0
    && (path[folder_length] == '/' || path[folder_length] == 0);
}

static int tell(snippet_call call) {
  return is_watched(call.path) ? told(told_context, &call) : 0;
}

// The system calls of SQLite's own file system (https://www.sqlite.org/c3ref/vfs.html,
// xSetSystemCall). What a descriptor stands for is known from when it was opened.

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *paths[MOST_DESCRIPTORS];

static void name_descriptor(int descriptor, const char *path) {
  if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return;
  char *copy = path != NULL && is_watched(path) ? strdup(path) : NULL;
  pthread_mutex_lock(&lock);
  // A name is never freed: another thread may be telling it.
  paths[descriptor] = copy;
  pthread_mutex_unlock(&lock);
}

static const char *path_of(int descriptor) {
  if (descriptor < 0 || descriptor >= MOST_DESCRIPTORS) return NULL;
  pthread_mutex_lock(&lock);
  const char *path = paths[descriptor];
  pthread_mutex_unlock(&lock);
  return path;
}

// Fails the surrounding function where the hook says so.
#define FAIL_IF_TOLD(result)                                                                       \
  if (verdict > 0) {                                                                               \
    errno = verdict;                                                                               \
    return result;                                                                                 \
  }

static int faulty_open(const char *path, int flags, int mode) {
  int verdict =
    tell((snippet_call){.kind = SNIPPET_CALL_OPEN, .path = path, .creates = (flags & O_CREAT) != 0});
  FAIL_IF_TOLD(-1)
  int descriptor = open(path, flags, mode);
  name_descriptor(descriptor, path);
  return descriptor;
}

static int faulty_close(int descriptor) {
  name_descriptor(descriptor, NULL);
  return close(descriptor);
}

static int faulty_access(const char *path, int mode) {
  int verdict = tell((snippet_call){.kind = SNIPPET_CALL_LOOK, .path = path});
  FAIL_IF_TOLD(-1)
  return access(path, mode);
}

static int faulty_stat(const char *path, struct stat *status) {
  int verdict = tell((snippet_call){.kind = SNIPPET_CALL_LOOK, .path = path});
  FAIL_IF_TOLD(-1)
  return stat(path, status);
}

static int faulty_fstat(int descriptor, struct stat *status) {
  int verdict = tell((snippet_call){.kind = SNIPPET_CALL_LOOK, .path = path_of(descriptor)});
  FAIL_IF_TOLD(-1)
  return fstat(descriptor, status);
}

static ssize_t faulty_pread(int descriptor, void *buffer, size_t count, off_t offset) {
  int verdict = tell((snippet_call){
    .kind = SNIPPET_CALL_READ, .path = path_of(descriptor), .offset = offset, .count = count});
  FAIL_IF_TOLD(-1)
  if (verdict == SNIPPET_CALL_IS_SHORT && count > 1) count /= 2;
  return pread(descriptor, buffer, count, offset);
}

static ssize_t faulty_pwrite(int descriptor, const void *buffer, size_t count, off_t offset) {
  int verdict = tell((snippet_call){.kind = SNIPPET_CALL_WRITE,
                                    .path = path_of(descriptor),
                                    .offset = offset,
                                    .count = count,
                                    .bytes = buffer});
  FAIL_IF_TOLD(-1)
  if (verdict == SNIPPET_CALL_LIES) return count;
  if (verdict == SNIPPET_CALL_IS_SHORT && count > 1) count /= 2;
  return pwrite(descriptor, buffer, count, offset);
}

static int faulty_ftruncate(int descriptor, off_t size) {
  int verdict = tell((snippet_call){
    .kind = SNIPPET_CALL_TRUNCATE, .path = path_of(descriptor), .offset = size});
  FAIL_IF_TOLD(-1)
  return ftruncate(descriptor, size);
}

// Returns the number of the error instead of setting it.
static int faulty_fallocate(int descriptor, off_t offset, off_t count) {
  int verdict = tell((snippet_call){
    .kind = SNIPPET_CALL_ALLOCATE, .path = path_of(descriptor), .offset = offset, .count = count});
  if (verdict > 0) return verdict;
  return posix_fallocate(descriptor, offset, count);
}

static int posix_locks_only;

void snippet_store_faults_know_posix_locks_only(void) { posix_locks_only = 1; }

static int faulty_fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  int looks = command == F_GETLK;
  int locks = command == F_SETLK;
  const char *path = path_of(descriptor);
#if defined(F_OFD_SETLK)
  // Those of the store are asked of a descriptor that SQLite did not open.
  looks |= command == F_OFD_GETLK;
  locks |= command == F_OFD_SETLK;
  char link[40], target[4096];
  if (command == F_OFD_GETLK || command == F_OFD_SETLK) {
    if (posix_locks_only) {
      errno = EINVAL;
      return -1;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length > 0) {
      target[length] = 0;
      path = target;
    }
  }
#endif
  // To let go of a lock does not fail, and SQLite would keep it in its own books.
  if (looks || (locks && ((struct flock *)argument)->l_type != F_UNLCK)) {
    int verdict = tell((snippet_call){.kind = SNIPPET_CALL_LOCK, .path = path});
    FAIL_IF_TOLD(-1)
  }
  return fcntl(descriptor, command, argument);
}

static int faulty_unlink(const char *path) {
  int verdict = tell((snippet_call){.kind = SNIPPET_CALL_DELETE, .path = path});
  FAIL_IF_TOLD(-1)
  return unlink(path);
}

static void *faulty_mmap(
  void *address, size_t count, int protection, int flags, int descriptor, off_t offset
) {
  int verdict = tell((snippet_call){
    .kind = SNIPPET_CALL_MAP, .path = path_of(descriptor), .offset = offset, .count = count});
  FAIL_IF_TOLD(MAP_FAILED)
  return mmap(address, count, protection, flags, descriptor, offset);
}

// SQLite opens the folder of a file only to sync it.
static int faulty_open_directory(const char *path, int *descriptor) {
  char *directory = strdup(path);
  if (directory == NULL) abort();
  char *end = strrchr(directory, '/');
  if (end == NULL || end == directory) end = directory + 1;
  *end = 0;
  int verdict = tell((snippet_call){.kind = SNIPPET_CALL_SYNC, .path = directory});
  *descriptor = verdict > 0 ? -1 : open(directory, O_RDONLY | O_CLOEXEC);
  if (verdict > 0) errno = verdict;
  free(directory);
  return *descriptor >= 0 ? SQLITE_OK : SQLITE_CANTOPEN;
}

static const struct {
  const char *name;
  sqlite3_syscall_ptr call;
} replacements[] = {
  {"open", (sqlite3_syscall_ptr)faulty_open},
  {"close", (sqlite3_syscall_ptr)faulty_close},
  {"access", (sqlite3_syscall_ptr)faulty_access},
  {"stat", (sqlite3_syscall_ptr)faulty_stat},
  {"fstat", (sqlite3_syscall_ptr)faulty_fstat},
  {"pread", (sqlite3_syscall_ptr)faulty_pread},
  {"pread64", (sqlite3_syscall_ptr)faulty_pread},
  {"pwrite", (sqlite3_syscall_ptr)faulty_pwrite},
  {"pwrite64", (sqlite3_syscall_ptr)faulty_pwrite},
  {"ftruncate", (sqlite3_syscall_ptr)faulty_ftruncate},
  {"fallocate", (sqlite3_syscall_ptr)faulty_fallocate},
  {"fcntl", (sqlite3_syscall_ptr)faulty_fcntl},
  {"unlink", (sqlite3_syscall_ptr)faulty_unlink},
  {"mmap", (sqlite3_syscall_ptr)faulty_mmap},
  {"openDirectory", (sqlite3_syscall_ptr)faulty_open_directory},
};

// The file system above it, for what makes no system call that can be replaced. Each file is followed
// in memory by that of the file system beneath.

typedef struct {
  sqlite3_file base;
  const char *path;
} File;

static sqlite3_vfs *beneath;
static sqlite3_vfs above;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((File *)file + 1); }

static int close_file(sqlite3_file *file) {
  sqlite3_file *under = real(file);
  int result = under->pMethods != NULL ? under->pMethods->xClose(under) : SQLITE_OK;
  file->pMethods = NULL;
  return result;
}

static int read_file(sqlite3_file *file, void *buffer, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), buffer, count, offset);
}

static int write_file(sqlite3_file *file, const void *buffer, int count, sqlite3_int64 offset) {
  return real(file)->pMethods->xWrite(real(file), buffer, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
  return real(file)->pMethods->xTruncate(real(file), size);
}

static int sync_file(sqlite3_file *file, int flags) {
  int verdict = tell((snippet_call){.kind = SNIPPET_CALL_SYNC, .path = ((File *)file)->path});
  if (verdict > 0) return SQLITE_IOERR_FSYNC;
  if (verdict == SNIPPET_CALL_LIES) return SQLITE_OK;
  return real(file)->pMethods->xSync(real(file), flags);
}

static int size_of_file(sqlite3_file *file, sqlite3_int64 *size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}

static int lock_file(sqlite3_file *file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}

static int unlock_file(sqlite3_file *file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}

static int check_reserved_lock(sqlite3_file *file, int *is_reserved) {
  return real(file)->pMethods->xCheckReservedLock(real(file), is_reserved);
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
  return real(file)->pMethods->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) {
  return real(file)->pMethods->xSectorSize(real(file));
}

static int characteristics(sqlite3_file *file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}

static int map_shared(
  sqlite3_file *file, int region, int size, int extends, void volatile **memory
) {
  int verdict = tell((snippet_call){
    .kind = SNIPPET_CALL_SHARE, .path = ((File *)file)->path, .offset = region, .count = size});
  if (verdict > 0) return SQLITE_IOERR_SHMMAP;
  return real(file)->pMethods->xShmMap(real(file), region, size, extends, memory);
}

static int lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}

static void shared_barrier(sqlite3_file *file) {
  real(file)->pMethods->xShmBarrier(real(file));
}

static int unmap_shared(sqlite3_file *file, int deletes) {
  return real(file)->pMethods->xShmUnmap(real(file), deletes);
}

static int fetch(sqlite3_file *file, sqlite3_int64 offset, int count, void **memory) {
  return real(file)->pMethods->xFetch(real(file), offset, count, memory);
}

static int unfetch(sqlite3_file *file, sqlite3_int64 offset, void *memory) {
  tell((snippet_call){
    .kind = SNIPPET_CALL_UNFETCH, .path = ((File *)file)->path, .offset = offset});
  return real(file)->pMethods->xUnfetch(real(file), offset, memory);
}

static const sqlite3_io_methods methods = {
  3, close_file, read_file, write_file, truncate_file, sync_file, size_of_file, lock_file,
  unlock_file, check_reserved_lock, control_file, sector_size, characteristics, map_shared,
  lock_shared, shared_barrier, unmap_shared, fetch, unfetch,
};
// Of a file without shared memory, as one that is opened as immutable.
static sqlite3_io_methods unshared_methods;

static int open_file(
  sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags
) {
  (void)vfs;
  int result = beneath->xOpen(beneath, path, real(file), flags, out_flags);
  if (real(file)->pMethods == NULL) {
    file->pMethods = NULL;
    return result;
  }
  // SQLite keeps the path for as long as it has the file open.
  ((File *)file)->path = path;
  file->pMethods = real(file)->pMethods->xShmMap != NULL ? &methods : &unshared_methods;
  return result;
}

int snippet_store_faults_install(const char *path, snippet_call_hook hook, void *context) {
  int result = sqlite3_initialize();
  if (result != SQLITE_OK) return result;
  folder = strdup(path);
  if (folder == NULL) return SQLITE_NOMEM;
  folder_length = strlen(folder);
  told = hook;
  told_context = context;
  beneath = sqlite3_vfs_find(NULL);
  for (size_t index = 0; index < sizeof replacements / sizeof *replacements; index++) {
    // One that this SQLite does not use is not found.
    beneath->xSetSystemCall(beneath, replacements[index].name, replacements[index].call);
  }
  unshared_methods = methods;
  unshared_methods.xShmMap = NULL;
  above = *beneath;
  above.zName = "snippet-store-faults";
  above.pNext = NULL;
  above.szOsFile = (int)sizeof(File) + beneath->szOsFile;
  above.xOpen = open_file;
  return sqlite3_vfs_register(&above, 1);
}
