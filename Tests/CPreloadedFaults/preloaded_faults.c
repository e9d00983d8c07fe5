// Stands between a program and the C library, and fails, shortens or kills at the n-th call.
//
// It is loaded before all other libraries (LD_PRELOAD), on Linux only. What it is told:
//
//   SNIPPET_FAULT_FOLDER  only files at or below this folder count
//   SNIPPET_FAULT_PLAN    call:file:n:action; see FaultPlan.swift. Without it calls are only counted
//   SNIPPET_FAULT_LOG     a file outside of the folder, to which lines are added:
//                           call read /path      each call, when there is no plan
//                           fired read /path 3   the fault, as it happens; once for n+
//                           seen read=5 write=3  how many calls there were, at the end
//
// Every process counts for itself, those that it starts too.
//
// The calls are made to the kernel, not to the C library: so nothing has to be looked up, which
// would take locks and memory, and it works from the first call of a process on, between fork and
// exec as well. The path of a descriptor is asked of the kernel each time, so that no table can go
// stale.

#ifdef __linux__

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __SIZEOF_LONG__ != 8
#error "A position in a file has 64 bits here, in every call."
#endif

// MARK: - The plan

enum family {
  reads, writes, syncs, truncates, opens, deletes, renames, links, locks, maps, allocates,
  // Struck only by a plan that names them: many files are closed that were only read, and nothing
  // depends on when the disk starts to write.
  closes, starts,
  family_count
};

static const char *const family_names[family_count] = {
  "read", "write", "sync", "truncate", "open", "delete", "rename", "link", "lock", "map",
  "allocate", "close", "start",
};

enum action { fail, shorten, kill_before, kill_after };

static struct {
  int family; // family_count for all of them
  char suffix[256];
  unsigned long number;
  bool for_good;
  enum action action;
  int error;
} plan;

static bool has_plan;
static char folder[PATH_MAX], real_folder[PATH_MAX], log_file[PATH_MAX];
static atomic_ulong seen[family_count];
static atomic_ulong matching;
static atomic_int state; // 0 at first, 1 while it is set up, 2 on duty, 3 off duty

// MARK: - The log

static void put(const char *line, size_t length) {
  if (!log_file[0]) return;
  long file = syscall(
    SYS_openat, AT_FDCWD, log_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, line, length);
  syscall(SYS_close, file);
}

static size_t add(char *line, size_t at, size_t room, const char *text) {
  while (*text && at < room) line[at++] = *text++;
  return at;
}

static size_t add_number(char *line, size_t at, size_t room, unsigned long number) {
  char digits[24];
  size_t first = sizeof digits - 1;
  digits[first] = 0;
  do digits[--first] = (char)('0' + number % 10);
  while (number /= 10);
  return add(line, at, room, digits + first);
}

static void put_call(const char *what, int family, const char *path, unsigned long number) {
  char line[PATH_MAX + 64];
  size_t room = sizeof line - 1;
  size_t at = add(line, 0, room, what);
  at = add(line, at, room, family_names[family]);
  at = add(line, at, room, " ");
  at = add(line, at, room - 30, path);
  if (number) at = add_number(line, add(line, at, room, " "), room, number);
  line[at++] = '\n';
  put(line, at);
}

static void put_counts(void) {
  char line[512];
  size_t room = sizeof line - 1;
  size_t at = add(line, 0, room, "seen");
  for (int family = 0; family < family_count; family++) {
    at = add(line, add(line, at, room, " "), room, family_names[family]);
    at = add_number(line, add(line, at, room, "="), room, atomic_load(&seen[family]));
  }
  line[at++] = '\n';
  put(line, at);
}

__attribute__((noreturn)) static void refuse(const char *reason) {
  put(reason, strlen(reason));
  syscall(SYS_write, STDERR_FILENO, reason, strlen(reason));
  syscall(SYS_exit_group, 99);
  __builtin_unreachable();
}

// MARK: - Setting up

static const struct { const char *name; enum action action; int error; } actions[] = {
  {"EIO", fail, EIO}, {"ENOSPC", fail, ENOSPC}, {"EMFILE", fail, EMFILE}, {"EACCES", fail, EACCES},
  {"EROFS", fail, EROFS}, {"EINTR", fail, EINTR}, {"EDQUOT", fail, EDQUOT},
  {"ENOMEM", fail, ENOMEM}, {"short", shorten, 0}, {"kill", kill_before, 0},
  {"killafter", kill_after, 0},
};

static void read_plan(const char *text) {
  static char parts[4][256];
  for (int part = 0; part < 4; part++) {
    const char *end = part < 3 ? strchr(text, ':') : text + strlen(text);
    if (!end || (size_t)(end - text) >= sizeof parts[0]) refuse("malformed SNIPPET_FAULT_PLAN\n");
    memcpy(parts[part], text, (size_t)(end - text));
    text = end + 1;
  }
  plan.family = -1;
  for (int family = 0; family < family_count; family++)
    if (!strcmp(parts[0], family_names[family])) plan.family = family;
  if (!strcmp(parts[0], "*")) plan.family = family_count;
  if (strcmp(parts[1], "*")) strcpy(plan.suffix, parts[1]);
  char *rest;
  plan.number = strtoul(parts[2], &rest, 10);
  plan.for_good = *rest == '+';
  bool known = false;
  for (size_t each = 0; each < sizeof actions / sizeof actions[0]; each++) {
    if (strcmp(parts[3], actions[each].name)) continue;
    plan.action = actions[each].action;
    plan.error = actions[each].error;
    known = true;
  }
  if (plan.family < 0 || plan.number == 0 || rest[plan.for_good] || !known)
    refuse("malformed SNIPPET_FAULT_PLAN\n");
  has_plan = true;
}

static void set_up(void) {
  const char *name = getenv("SNIPPET_FAULT_FOLDER");
  if (!name || name[0] != '/' || strlen(name) >= sizeof folder) {
    atomic_store(&state, 3);
    return;
  }
  strcpy(folder, name);
  // The kernel tells paths without links.
  long descriptor = syscall(SYS_openat, AT_FDCWD, folder, O_PATH | O_CLOEXEC);
  char link[40] = "/proc/self/fd/";
  link[add_number(link, strlen(link), sizeof link - 1, (unsigned long)descriptor)] = 0;
  long length = descriptor < 0
    ? -1 : syscall(SYS_readlinkat, AT_FDCWD, link, real_folder, sizeof real_folder - 1);
  if (descriptor >= 0) syscall(SYS_close, descriptor);
  if (length < 0) strcpy(real_folder, folder);
  const char *log = getenv("SNIPPET_FAULT_LOG");
  if (log && strlen(log) < sizeof log_file) strcpy(log_file, log);
  const char *text = getenv("SNIPPET_FAULT_PLAN");
  if (text && *text) read_plan(text);
  atomic_store(&state, 2);
}

/// Whether calls are to be looked at; those that come while another thread sets up are not.
static bool is_on_duty(void) {
  int now = atomic_load_explicit(&state, memory_order_acquire);
  if (now == 0 && environ) {
    int first = 0;
    if (atomic_compare_exchange_strong(&state, &first, 1)) set_up();
    now = atomic_load(&state);
  }
  return now == 2;
}

__attribute__((constructor)) static void begin(void) { is_on_duty(); }
__attribute__((destructor)) static void end(void) { if (is_on_duty()) put_counts(); }

// MARK: - Paths

static bool is_below(const char *path, const char *top) {
  size_t length = strlen(top);
  return !strncmp(path, top, length) && (path[length] == '/' || path[length] == 0);
}

static bool path_of(int descriptor, char *path) {
  char link[40] = "/proc/self/fd/";
  if (descriptor < 0) return false;
  link[add_number(link, strlen(link), sizeof link - 1, (unsigned long)descriptor)] = 0;
  long length = syscall(SYS_readlinkat, AT_FDCWD, link, path, PATH_MAX - 1);
  if (length <= 0) return false;
  path[length] = 0;
  static const char deleted[] = " (deleted)";
  size_t tail = sizeof deleted - 1;
  if ((size_t)length > tail && !strcmp(path + length - tail, deleted)) path[length - (long)tail] = 0;
  return true;
}

static bool path_at(int directory, const char *name, char *path) {
  if (!name) return false;
  size_t at = 0;
  if (name[0] != '/') {
    if (directory == AT_FDCWD) {
      if (syscall(SYS_getcwd, path, PATH_MAX) < 0) return false;
    } else if (!path_of(directory, path)) {
      return false;
    }
    at = add(path, strlen(path), PATH_MAX - 1, "/");
  }
  path[add(path, at, PATH_MAX - 1, name)] = 0;
  return true;
}

// MARK: - One call

/// Counts a call.
///
/// Returns whether the plan strikes it; if that is to kill before the call, it does not return.
static bool strikes(enum family family, const char *path) {
  if (!is_below(path, real_folder) && !is_below(path, folder)) return false;
  atomic_fetch_add(&seen[family], 1);
  if (!has_plan) {
    put_call("call ", family, path, 0);
    return false;
  }
  size_t length = strlen(path), suffix = strlen(plan.suffix);
  if (((family == closes || family == starts) && plan.family != (int)family)
      || (plan.family != family_count && plan.family != (int)family)
      || length < suffix || strcmp(path + length - suffix, plan.suffix))
    return false;
  // What cannot be shortened does not count as a call to shorten.
  if (plan.action == shorten && family != reads && family != writes) return false;
  unsigned long number = atomic_fetch_add(&matching, 1) + 1;
  if (number < plan.number || (number > plan.number && !plan.for_good)) return false;
  if (number == plan.number) {
    put_call("fired ", family, path, number);
    put_counts();
  }
  if (plan.action == kill_before) syscall(SYS_kill, getpid(), SIGKILL);
  return true;
}

// A call may be told from outside by its descriptor or its path; the caller's errno is not touched
// by what is asked of the kernel meanwhile.
static bool strikes_file(enum family family, int descriptor) {
  int error = errno;
  char path[PATH_MAX];
  bool result = is_on_duty() && path_of(descriptor, path) && strikes(family, path);
  errno = error;
  return result;
}

static bool strikes_path(enum family family, int directory, const char *name) {
  int error = errno;
  char path[PATH_MAX];
  bool result = is_on_duty() && path_at(directory, name, path) && strikes(family, path);
  errno = error;
  return result;
}

/// Fails, or does the call; kills after it if that is the plan.
#define FAIL_OR(struck, ...)                                                                       \
  ({                                                                                               \
    long result;                                                                                   \
    bool is_struck = (struck);                                                                     \
    if (is_struck && plan.action == fail) {                                                        \
      errno = plan.error;                                                                          \
      result = -1;                                                                                 \
    } else {                                                                                       \
      result = syscall(__VA_ARGS__);                                                               \
      if (is_struck && plan.action == kill_after) syscall(SYS_kill, getpid(), SIGKILL);            \
    }                                                                                              \
    result;                                                                                        \
  })

/// How many bytes a call is to do: half of them where the plan says so, and one at least, since
/// none would be the end of the file.
#define BYTES(struck, count) \
  ((struck) && plan.action == shorten && (count) > 1 ? (count) / 2 : (count))

#define EXPORT __attribute__((visibility("default")))

// MARK: - The calls

EXPORT ssize_t read(int file, void *bytes, size_t count) {
  bool struck = strikes_file(reads, file);
  return FAIL_OR(struck, SYS_read, file, bytes, BYTES(struck, count));
}

EXPORT ssize_t pread(int file, void *bytes, size_t count, off_t offset) {
  bool struck = strikes_file(reads, file);
  return FAIL_OR(struck, SYS_pread64, file, bytes, BYTES(struck, count), offset);
}

EXPORT ssize_t pread64(int file, void *bytes, size_t count, off64_t offset) {
  return pread(file, bytes, count, offset);
}

EXPORT ssize_t write(int file, const void *bytes, size_t count) {
  bool struck = strikes_file(writes, file);
  return FAIL_OR(struck, SYS_write, file, bytes, BYTES(struck, count));
}

EXPORT ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  bool struck = strikes_file(writes, file);
  return FAIL_OR(struck, SYS_pwrite64, file, bytes, BYTES(struck, count), offset);
}

EXPORT ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  return pwrite(file, bytes, count, offset);
}

EXPORT int ftruncate(int file, off_t length) {
  return (int)FAIL_OR(strikes_file(truncates, file), SYS_ftruncate, file, length);
}

EXPORT int ftruncate64(int file, off64_t length) { return ftruncate(file, length); }

EXPORT int fallocate(int file, int mode, off_t offset, off_t length) {
  return (int)FAIL_OR(strikes_file(allocates, file), SYS_fallocate, file, mode, offset, length);
}

EXPORT int fallocate64(int file, int mode, off64_t offset, off64_t length) {
  return fallocate(file, mode, offset, length);
}

EXPORT int posix_fallocate(int file, off_t offset, off_t length) {
  int before = errno;
  int error = fallocate(file, 0, offset, length) < 0 ? errno : 0;
  errno = before;
  return error;
}

EXPORT int posix_fallocate64(int file, off64_t offset, off64_t length) {
  return posix_fallocate(file, offset, length);
}

EXPORT int fsync(int file) { return (int)FAIL_OR(strikes_file(syncs, file), SYS_fsync, file); }

EXPORT int fdatasync(int file) {
  return (int)FAIL_OR(strikes_file(syncs, file), SYS_fdatasync, file);
}

EXPORT int sync_file_range(int file, off64_t offset, off64_t count, unsigned flags) {
  bool struck = strikes_file(starts, file);
  return (int)FAIL_OR(struck, SYS_sync_file_range, file, offset, count, flags);
}

EXPORT int syncfs(int file) { return (int)FAIL_OR(strikes_file(syncs, file), SYS_syncfs, file); }

// Names no file and tells no failure, so it counts as one of the folder.
EXPORT void sync(void) { (void)FAIL_OR(strikes_path(syncs, AT_FDCWD, folder), SYS_sync); }

EXPORT int openat(int directory, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  bool makes = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
  mode_t mode = makes ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  return (int)FAIL_OR(
    strikes_path(opens, directory, path), SYS_openat, directory, path, flags, mode);
}

#define OPEN(directory, path, flags)                                                                \
  va_list rest;                                                                                    \
  va_start(rest, flags);                                                                           \
  mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;    \
  va_end(rest);                                                                                    \
  return openat(directory, path, flags, mode)

EXPORT int openat64(int directory, const char *path, int flags, ...) {
  OPEN(directory, path, flags);
}

EXPORT int open(const char *path, int flags, ...) { OPEN(AT_FDCWD, path, flags); }
EXPORT int open64(const char *path, int flags, ...) { OPEN(AT_FDCWD, path, flags); }

EXPORT int creat(const char *path, mode_t mode) {
  return openat(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

// To make a folder is to open what was not there.
EXPORT int mkdirat(int directory, const char *path, mode_t mode) {
  return (int)FAIL_OR(strikes_path(opens, directory, path), SYS_mkdirat, directory, path, mode);
}

EXPORT int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

EXPORT int unlinkat(int directory, const char *path, int flags) {
  return (int)FAIL_OR(strikes_path(deletes, directory, path), SYS_unlinkat, directory, path, flags);
}

EXPORT int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
EXPORT int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

// What is renamed or linked is known by its new name: the old one often has a random end.
EXPORT int renameat2(int from, const char *old, int to, const char *new, unsigned flags) {
  return (int)FAIL_OR(strikes_path(renames, to, new), SYS_renameat2, from, old, to, new, flags);
}

EXPORT int renameat(int from, const char *old, int to, const char *new) {
  return renameat2(from, old, to, new, 0);
}

EXPORT int rename(const char *old, const char *new) {
  return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0);
}

EXPORT int linkat(int from, const char *old, int to, const char *new, int flags) {
  return (int)FAIL_OR(strikes_path(links, to, new), SYS_linkat, from, old, to, new, flags);
}

EXPORT int link(const char *old, const char *new) {
  return linkat(AT_FDCWD, old, AT_FDCWD, new, 0);
}

EXPORT void *mmap(void *at, size_t length, int rights, int flags, int file, off_t offset) {
  bool struck = file >= 0 && !(flags & MAP_ANONYMOUS) && strikes_file(maps, file);
  return (void *)FAIL_OR(struck, SYS_mmap, at, length, rights, flags, file, offset);
}

EXPORT void *mmap64(void *at, size_t length, int rights, int flags, int file, off64_t offset) {
  return mmap(at, length, rights, flags, file, offset);
}

EXPORT int fcntl(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  unsigned long argument = va_arg(rest, unsigned long);
  va_end(rest);
  // To let go of a lock does not fail on any disk.
  bool takes = (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK
                || command == F_OFD_SETLKW) && ((struct flock *)argument)->l_type != F_UNLCK;
  return (int)FAIL_OR(takes && strikes_file(locks, file), SYS_fcntl, file, command, argument);
}

EXPORT int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  unsigned long argument = va_arg(rest, unsigned long);
  va_end(rest);
  return fcntl(file, command, argument);
}

// The descriptor is gone even if the disk could not take what was written.
EXPORT int close(int file) {
  bool struck = strikes_file(closes, file);
  int result = (int)syscall(SYS_close, file);
  if (!struck) return result;
  if (plan.action == kill_after) syscall(SYS_kill, getpid(), SIGKILL);
  errno = plan.error;
  return -1;
}

#endif
