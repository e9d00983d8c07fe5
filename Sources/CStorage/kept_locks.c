#include "kept_locks.h"

#include "early_writing.h"
#include "kept_files.h"

#if !defined(__linux__)

void *snippet_begin_keeping_locks(const char *path) {
  (void)path;
  return 0;
}

void snippet_end_keeping_locks(void *kept) { (void)kept; }

int snippet_take_refused_creation(void) { return 0; }

void snippet_begin_writing_early(const char *path) { (void)path; }

#else

// For the locks of open file descriptions; with the offsets that SQLite itself is built with.
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Output to a closed standard stream must never reach a database.
#define LEAST_DESCRIPTOR 3
// SQLite holds at most two ranges of a database at once for reading, and six of an index.
#define MOST_RANGES 8

typedef struct {
  dev_t device;
  ino_t inode;
} Identity;

typedef struct {
  off_t start;
  off_t length;
} Range;

// A file whose locks are kept: the database of a store, or the index of its log.
typedef struct KeptFile {
  struct KeptFile *next;
  Identity identity;
  int opening_count;     // calls that are opening a connection
  int descriptor_count;  // descriptors of SQLite
  int is_early;          // the disk writes what SQLite writes soon
  pthread_mutex_t lock;  // for all that follows
  atomic_int holder;     // the descriptor that has the locks, or -1; also read after a fork
  int is_writable;       // the holder is
  int is_plain;          // the file system only has POSIX locks
  int range_count;
  Range ranges[MOST_RANGES];  // locked for reading by a holder that is not writable
} KeptFile;

// What is known of a descriptor of SQLite.
typedef struct {
  int is_known;
  int has_posix_locks;  // or had some
  int is_log;
  Identity identity;
  Identity database;  // of a log
  KeptFile *file;  // NULL for other files
} Descriptor;

// Held for a moment, never while a file is opened or locked.
static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static KeptFile *files;
static Descriptor *descriptors;
static int descriptor_room;
// Descriptors that had locks before this file saw the calls of SQLite.
static Descriptor *earlier;
static int earlier_room;

// The calls that those below took the place of.
static int (*_Atomic next_open)(const char *, int, int);
static int (*_Atomic next_close)(int);
static int (*_Atomic next_fcntl)(int, int, ...);

static int is_same(Identity one, Identity other) {
  return one.device == other.device && one.inode == other.inode;
}

static int identify(const struct stat *status, Identity *identity) {
  *identity = (Identity){.device = status->st_dev, .inode = status->st_ino};
  return S_ISREG(status->st_mode);
}

// MARK: The table; its lock is held

static KeptFile *find(Identity identity) {
  KeptFile *file = files;
  while (file && !is_same(file->identity, identity)) file = file->next;
  return file;
}

static KeptFile *add(Identity identity) {
  KeptFile *file = calloc(1, sizeof *file);
  if (!file) return 0;
  file->identity = identity;
  atomic_init(&file->holder, -1);
  pthread_mutex_init(&file->lock, 0);
  file->next = files;
  files = file;
  // Those that have not locked the file yet take part.
  for (int i = 0; i < descriptor_room; i++) {
    if (!descriptors[i].is_known || !is_same(descriptors[i].identity, identity)) continue;
    descriptors[i].file = file;
    file->descriptor_count++;
  }
  return file;
}

static void remove_if_unused(KeptFile *file) {
  if (file->opening_count > 0 || file->descriptor_count > 0) return;
  KeptFile **place = &files;
  while (*place != file) place = &(*place)->next;
  *place = file->next;
  pthread_mutex_destroy(&file->lock);
  free(file);
}

static Descriptor *place_of(Descriptor **table, int *room, int descriptor) {
  if (descriptor >= *room) {
    int larger = descriptor + 64;
    Descriptor *grown = realloc(*table, (size_t)larger * sizeof *grown);
    if (!grown) return 0;
    memset(grown + *room, 0, (size_t)(larger - *room) * sizeof *grown);
    *table = grown;
    *room = larger;
  }
  return *table + descriptor;
}

// Whether a connection may have POSIX locks on a file.
static int may_have_posix_locks(Identity identity) {
  for (int i = 0; i < descriptor_room; i++) {
    if (descriptors[i].has_posix_locks && is_same(descriptors[i].identity, identity)) return 1;
  }
  for (int i = 0; i < earlier_room; i++) {
    struct stat status;
    Identity now;
    if (!earlier[i].is_known || !is_same(earlier[i].identity, identity)) continue;
    if (fstat(i, &status) == 0 && identify(&status, &now) && is_same(now, identity)) return 1;
  }
  return 0;
}

// MARK: The holder of the locks; the lock of the file is held

// Opens the file of a descriptor anew; child processes do not inherit it.
static int open_again(int descriptor, int access) {
  char path[32];
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  int again = open(path, access | O_CLOEXEC);
  if (again < 0 && errno != EMFILE && errno != ENFILE && errno != ENOMEM) {
    // As good, unless a process is forked without another program.
    again = fcntl(descriptor, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR);
  }
  if (again < 0 || again >= LEAST_DESCRIPTOR) return again;
  int higher = fcntl(again, F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR);
  close(again);
  return higher;
}

static int set_lock(int holder, short type, Range range) {
  struct flock lock = {
    .l_type = type, .l_whence = SEEK_SET, .l_start = range.start, .l_len = range.length};
  return next_fcntl(holder, F_OFD_SETLK, &lock);
}

static void release(int holder) {
  // A process that was forked from this one may still have a copy.
  set_lock(holder, F_UNLCK, (Range){0, 0});
  close(holder);
}

// Returns the descriptor for locks that SQLite asks of one of its own; -1 on failure.
static int holder_for(KeptFile *file, int descriptor, int writes) {
  if (file->is_plain) return descriptor;
  int holder = atomic_load(&file->holder);
  if (holder >= 0 && (file->is_writable || !writes)) return holder;
  int flags = fcntl(descriptor, F_GETFL);
  if (flags < 0) return -1;
  int access = flags & O_ACCMODE;
  // The system refuses the lock, as it would on the descriptor.
  if (holder >= 0 && access == O_RDONLY) return holder;
  int other = open_again(descriptor, access);
  if (other < 0) return -1;
  if (holder < 0) {
    file->range_count = 0;
    // Letting go of nothing shows whether there are such locks. No connection has one yet.
    if (set_lock(other, F_UNLCK, (Range){0, 0}) != 0) {
      close(other);
      file->is_plain = 1;
      return descriptor;
    }
  }
  // The other takes what the holder has before the holder lets go of it.
  for (int i = 0; i < file->range_count; i++) {
    if (set_lock(other, F_RDLCK, file->ranges[i]) == 0) continue;
    int error = errno;
    close(other);
    errno = error;
    return -1;
  }
  file->is_writable = access != O_RDONLY;
  atomic_store(&file->holder, other);
  if (holder >= 0) release(holder);
  return other;
}

// Remembers what a holder that is not writable has, for one that takes its place.
static void remember(KeptFile *file, const struct flock *lock) {
  if (file->is_writable) return;
  int count = 0;
  for (int i = 0; i < file->range_count; i++) {
    Range range = file->ranges[i];
    int is_within =
      range.start >= lock->l_start
      && (lock->l_len == 0 || range.start + range.length <= lock->l_start + lock->l_len);
    if (!is_within) file->ranges[count++] = range;
  }
  if (lock->l_type == F_RDLCK && count < MOST_RANGES) {
    file->ranges[count++] = (Range){lock->l_start, lock->l_len};
  }
  file->range_count = count;
}

// MARK: The descriptors of SQLite

static void detach(int descriptor) {
  int holder = -1;
  pthread_mutex_lock(&table_lock);
  if (descriptor < earlier_room) earlier[descriptor].is_known = 0;
  if (descriptor < descriptor_room) {
    KeptFile *file = descriptors[descriptor].file;
    descriptors[descriptor] = (Descriptor){0};
    if (file && --file->descriptor_count == 0) {
      holder = atomic_exchange(&file->holder, -1);
      remove_if_unused(file);
    }
  }
  pthread_mutex_unlock(&table_lock);
  if (holder >= 0) release(holder);
}

// Finds the database of an index or a log by its name.
static int is_beside(const char *path, const char *suffix, Identity *database) {
  size_t length = path ? strlen(path) : 0;
  size_t rest = strlen(suffix);
  if (length <= rest || strcmp(path + length - rest, suffix) != 0) return 0;
  char *name = strndup(path, length - rest);
  struct stat status;
  int is_found = name && stat(name, &status) == 0 && identify(&status, database);
  free(name);
  return is_found;
}

// Remembers a descriptor, and its file if that is kept. Returns 0 without memory.
static int attach(int descriptor, const char *path, KeptFile **attached) {
  *attached = 0;
  struct stat status;
  Identity identity, database;
  if (fstat(descriptor, &status) != 0 || !identify(&status, &identity)) return 1;
  int is_index = is_beside(path, "-shm", &database);
  int is_log = !is_index && is_beside(path, "-wal", &database);
  pthread_mutex_lock(&table_lock);
  Descriptor *place = place_of(&descriptors, &descriptor_room, descriptor);
  if (place) {
    KeptFile *file = find(identity);
    if (!file && is_index && find(database)) file = add(identity);
    *place = (Descriptor){.is_known = 1, .identity = identity, .file = file};
    if (is_log) {
      place->is_log = 1;
      place->database = database;
    }
    if (file) file->descriptor_count++;
    *attached = file;
  }
  pthread_mutex_unlock(&table_lock);
  return place != 0;
}

static Descriptor *known(int descriptor) {
  if (descriptor >= descriptor_room || !descriptors[descriptor].is_known) return 0;
  return descriptors + descriptor;
}

// Returns the file of a descriptor that is about to be locked; NULL if it is not kept.
static KeptFile *file_to_lock(int descriptor) {
  KeptFile *file = 0;
  pthread_mutex_lock(&table_lock);
  Descriptor *found = known(descriptor);
  if (!found) {
    // One that was opened before this file saw the calls.
    pthread_mutex_unlock(&table_lock);
    attach(descriptor, 0, &file);
    pthread_mutex_lock(&table_lock);
    found = known(descriptor);
  }
  if (found) {
    file = found->file;
    found->has_posix_locks = !file;
  }
  pthread_mutex_unlock(&table_lock);
  return file;
}

// MARK: The calls of SQLite

// The error of the last file that could not be made on this thread.
static _Thread_local int refused_creation;

static int kept_open(const char *path, int flags, int mode) {
  int descriptor = next_open(path, flags, mode);
  if (descriptor < 0) {
    if (flags & O_CREAT) refused_creation = errno;
    return descriptor;
  }
  // Forgets a former descriptor of this number that was closed behind SQLite's back.
  detach(descriptor);
  KeptFile *file;
  int is_ready = attach(descriptor, path, &file);
  if (file) {
    pthread_mutex_lock(&file->lock);
    // Here rather than with the first lock: SQLite tells why a file could not be opened.
    is_ready = holder_for(file, descriptor, 0) >= 0;
    pthread_mutex_unlock(&file->lock);
  }
  if (is_ready) return descriptor;
  int error = errno;
  detach(descriptor);
  next_close(descriptor);
  errno = error;
  return -1;
}

static int kept_close(int descriptor) {
  detach(descriptor);
  return next_close(descriptor);
}

static int lock_kept(KeptFile *file, int descriptor, int command, struct flock *asked) {
  pthread_mutex_lock(&file->lock);
  int holder = holder_for(file, descriptor, command != F_GETLK && asked->l_type == F_WRLCK);
  int result = -1;
  if (holder >= 0 && file->is_plain) {
    result = next_fcntl(holder, command, asked);
  } else if (holder >= 0) {
    // The system requires that no process is named.
    struct flock lock = *asked;
    lock.l_pid = 0;
    result = next_fcntl(holder, command == F_GETLK ? F_OFD_GETLK : F_OFD_SETLK, &lock);
    if (result == 0 && command == F_GETLK) *asked = lock;
    if (result == 0 && command != F_GETLK) remember(file, &lock);
  }
  int error = errno;
  pthread_mutex_unlock(&file->lock);
  errno = error;
  return result;
}

static int kept_fcntl(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  // SQLite never waits within a lock (F_SETLKW).
  if (command == F_SETLK || command == F_GETLK) {
    KeptFile *file = file_to_lock(descriptor);
    if (file) return lock_kept(file, descriptor, command, argument);
  }
  return next_fcntl(descriptor, command, argument);
}

// MARK: Forking

static void before_fork(void) { pthread_mutex_lock(&table_lock); }

static void after_fork(void) { pthread_mutex_unlock(&table_lock); }

// Locks end with their process, not with those that were forked from it.
static void after_fork_in_child(void) {
  for (KeptFile *file = files; file; file = file->next) {
    int holder = atomic_exchange(&file->holder, -1);
    if (holder >= 0) close(holder);
    pthread_mutex_init(&file->lock, 0);
  }
  pthread_mutex_unlock(&table_lock);
}

// MARK: The start

static int has_posix_lock(int descriptor) {
  char path[40];
  char text[4096];
  snprintf(path, sizeof path, "/proc/self/fdinfo/%d", descriptor);
  int information = open(path, O_RDONLY | O_CLOEXEC);
  if (information < 0) return 1;
  ssize_t count = read(information, text, sizeof text - 1);
  close(information);
  text[count > 0 ? count : 0] = 0;
  return count < 0 || strstr(text, "POSIX") != 0;
}

// Looks for connections of others that have locks by now; returns 0 if that cannot be found out.
static int look_for_earlier(void) {
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) return 0;
  int is_complete = 1;
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    int descriptor = atoi(entry->d_name);
    struct stat status;
    Identity identity;
    if (entry->d_name[0] == '.' || fstat(descriptor, &status) != 0) continue;
    if (!identify(&status, &identity) || !has_posix_lock(descriptor)) continue;
    Descriptor *place = place_of(&earlier, &earlier_room, descriptor);
    if (place) *place = (Descriptor){.is_known = 1, .identity = identity};
    is_complete = is_complete && place;
  }
  closedir(folder);
  return is_complete;
}

// Takes the place of SQLite's calls, once. The lock of the table is held.
static int start(void) {
  static int outcome = -1;
  if (outcome >= 0) return outcome;
  outcome = 0;
  sqlite3_vfs *unix_vfs = sqlite3_vfs_find("unix");
  if (!unix_vfs || unix_vfs->iVersion < 3 || !unix_vfs->xSetSystemCall) return outcome;
  next_open = (int (*)(const char *, int, int))unix_vfs->xGetSystemCall(unix_vfs, "open");
  next_close = (int (*)(int))unix_vfs->xGetSystemCall(unix_vfs, "close");
  next_fcntl = (int (*)(int, int, ...))unix_vfs->xGetSystemCall(unix_vfs, "fcntl");
  if (!next_open || !next_close || !next_fcntl) return outcome;
  if (access("/proc/self/fd", R_OK | X_OK) != 0) return outcome;
  if (pthread_atfork(before_fork, after_fork, after_fork_in_child) != 0) return outcome;
  unix_vfs->xSetSystemCall(unix_vfs, "open", (sqlite3_syscall_ptr)kept_open);
  unix_vfs->xSetSystemCall(unix_vfs, "close", (sqlite3_syscall_ptr)kept_close);
  unix_vfs->xSetSystemCall(unix_vfs, "fcntl", (sqlite3_syscall_ptr)kept_fcntl);
  outcome = look_for_earlier();
  return outcome;
}

void *snippet_begin_keeping_locks(const char *path) {
  struct stat status;
  Identity identity;
  if (stat(path, &status) != 0 || !identify(&status, &identity)) return 0;
  pthread_mutex_lock(&table_lock);
  KeptFile *file = 0;
  if (start()) {
    file = find(identity);
    if (!file && !may_have_posix_locks(identity)) file = add(identity);
    if (file) file->opening_count++;
  }
  pthread_mutex_unlock(&table_lock);
  return file;
}

void snippet_end_keeping_locks(void *kept) {
  KeptFile *file = kept;
  if (!file) return;
  pthread_mutex_lock(&table_lock);
  file->opening_count--;
  remove_if_unused(file);
  pthread_mutex_unlock(&table_lock);
}

void snippet_begin_writing_early(const char *path) {
  struct stat status;
  Identity identity;
  snippet_watch_writes();
  if (stat(path, &status) != 0 || !identify(&status, &identity)) return;
  pthread_mutex_lock(&table_lock);
  KeptFile *file = find(identity);
  if (file) file->is_early = 1;
  pthread_mutex_unlock(&table_lock);
}

int snippet_is_written_early(int descriptor) {
  pthread_mutex_lock(&table_lock);
  Descriptor *found = known(descriptor);
  KeptFile *file = found && found->is_log ? find(found->database) : found ? found->file : 0;
  int is_early = file && file->is_early;
  pthread_mutex_unlock(&table_lock);
  return is_early;
}

int snippet_take_refused_creation(void) {
  int error = refused_creation;
  refused_creation = 0;
  return error;
}

#endif
