#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <process_start.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>

#include "call_filter.h"
#include "filter_library.h"
#endif

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

extern char **environ;

// Makes two connected sockets that no program started elsewhere at this moment inherits.
static int make_pair(int ends[2]) {
#ifdef SOCK_CLOEXEC
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return errno;
#else
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return errno;
  for (int index = 0; index < 2; index++) {
    int on = 1;
    fcntl(ends[index], F_SETFD, FD_CLOEXEC);
    setsockopt(ends[index], SOL_SOCKET, SO_NOSIGPIPE, &on, sizeof on);
  }
#endif
  return 0;
}

// The variables for the loader of programs, and the time zone; the rest may hold secrets.
static char **make_environment(void) {
  static const char *const prefixes[] = {"LD_", "DYLD_", "SWIFT_", "TSAN_", "TZ="};
  size_t count = 0;
  while (environ && environ[count]) count++;
  char **kept = calloc(count + 2, sizeof *kept);
  if (!kept) return NULL;
  size_t next = 0;
  for (size_t index = 0; index < count; index++)
    for (size_t prefix = 0; prefix < sizeof prefixes / sizeof *prefixes; prefix++)
      if (strncmp(environ[index], prefixes[prefix], strlen(prefixes[prefix])) == 0)
        kept[next++] = environ[index];
  // Each pool of memory would take 64 MiB of the address space that the process may have.
  kept[next] = "MALLOC_ARENA_MAX=2";
  return kept;
}

static int spawn(const char *path, char *const arguments[], int input, int *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  char **environment = make_environment();
  if (!environment) return ENOMEM;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);

  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  snippet_start_apart(&attributes, &actions);

  pid_t started = 0;
  int error = posix_spawn(&started, path, &actions, &attributes, arguments, environment);
  *process = started;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  free(environment);
  return error;
}

int snippet_worker_start(const char *path, char *const arguments[], int *descriptor,
                         int *process) {
  int ends[2];
  int error = make_pair(ends);
  if (error != 0) return error;
  // A process started without standard input would get a closed socket: copying a descriptor onto
  // itself keeps the mark that closes it.
  while (ends[1] <= STDERR_FILENO) {
    int moved = fcntl(ends[1], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved < 0) break;
    close(ends[1]);
    ends[1] = moved;
  }
  error = spawn(path, arguments, ends[1], process);
  close(ends[1]);
  if (error != 0) {
    close(ends[0]);
    return error;
  }
  *descriptor = ends[0];
  return 0;
}

int snippet_worker_end(int descriptor, int process) {
  close(descriptor);
  kill(process, SIGKILL);
  int status = 0;
  pid_t ended;
  do ended = waitpid(process, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended != process || !WIFSIGNALED(status)) return 0;
  return WTERMSIG(status) == SIGKILL ? 0 : WTERMSIG(status);
}

static void limit(int resource, rlim_t count) {
  struct rlimit limits;
  if (getrlimit(resource, &limits) != 0) return;
  if (limits.rlim_max != RLIM_INFINITY && count > limits.rlim_max) count = limits.rlim_max;
  limits.rlim_cur = count;
  limits.rlim_max = count;
  setrlimit(resource, &limits);
}

// The address space in use.
static uint64_t used_byte_count(void) {
  unsigned long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file) return 0;
  if (fscanf(file, "%llu", &pages) != 1) pages = 0;
  fclose(file);
  return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

int snippet_worker_confine(uint64_t byte_count) {
#ifdef __linux__
  struct filter_library library;
  int has_library = filter_library_load(&library) == 0;
#endif
  uint64_t used = used_byte_count();
  if (used > 0) limit(RLIMIT_AS, used + byte_count);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  limit(RLIMIT_NOFILE, 0);
#ifdef __linux__
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  // Nor may another process of the user look into the decoded content.
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  // Last, because it refuses the calls above.
  return has_library ? call_filter_install(&library) : snippet_worker_no_filter_library;
#else
  return snippet_worker_no_filter;
#endif
}

void snippet_worker_give_way(void) {
  // The thread that started this one may have had any priority. A refusal changes nothing.
  setpriority(PRIO_PROCESS, 0, 5);
}

void snippet_worker_limit_time(unsigned seconds) {
  struct rusage usage;
  struct rlimit limits;
  alarm(seconds);
  if (getrusage(RUSAGE_SELF, &usage) != 0 || getrlimit(RLIMIT_CPU, &limits) != 0) return;
  rlim_t used = (rlim_t)usage.ru_utime.tv_sec + (rlim_t)usage.ru_stime.tv_sec;
  limits.rlim_cur = seconds > 0 ? used + seconds + 2 : limits.rlim_max;
  if (limits.rlim_max != RLIM_INFINITY && limits.rlim_cur > limits.rlim_max)
    limits.rlim_cur = limits.rlim_max;
  setrlimit(RLIMIT_CPU, &limits);
}

// A clock that never goes back, in milliseconds.
static int64_t clock_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// The end of a limited time by the clock; -1 for a time without end. A worker never has a limit,
// so its filter of calls needs to know neither the clock nor the wait.
static int64_t end_after(int64_t milliseconds) {
  return milliseconds < 0 ? -1 : clock_now() + milliseconds;
}

// Takes the count of a call that moved some bytes, and waits where the socket could move none.
//
// Returns 0, or the status to end with.
static int take(ssize_t done, int descriptor, short events, int64_t end) {
  if (done == 0) return snippet_worker_gone;
  int is_blocked = done < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  if (done < 0 && errno != EINTR && !is_blocked) return snippet_worker_gone;
  // Checked after each piece: the other end may send or take one byte at a time.
  int64_t rest = end < 0 ? -1 : end - clock_now();
  if (end >= 0 && rest <= 0) return snippet_worker_late;
  if (is_blocked) {
    struct pollfd wanted = {.fd = descriptor, .events = events};
    poll(&wanted, 1, rest > INT_MAX ? INT_MAX : (int)rest);
  }
  return 0;
}

int snippet_worker_read(int descriptor, void *bytes, size_t count, int64_t milliseconds) {
  char *next = bytes;
  int64_t end = end_after(milliseconds);
  while (count > 0) {
    ssize_t done = recv(descriptor, next, count, end < 0 ? 0 : MSG_DONTWAIT);
    if (done == (ssize_t)count) return 0;
    int status = take(done, descriptor, POLLIN, end);
    if (status != 0) return status;
    if (done < 0) continue;
    next += done;
    count -= (size_t)done;
  }
  return 0;
}

int snippet_worker_write(int descriptor, const void *bytes, size_t count, int64_t milliseconds) {
  const char *next = bytes;
  int64_t end = end_after(milliseconds);
  while (count > 0) {
    ssize_t done = send(descriptor, next, count, MSG_NOSIGNAL | (end < 0 ? 0 : MSG_DONTWAIT));
    if (done == (ssize_t)count) return 0;
    int status = take(done, descriptor, POLLOUT, end);
    if (status != 0) return status;
    if (done < 0) continue;
    next += done;
    count -= (size_t)done;
  }
  return 0;
}

int snippet_worker_wait(int descriptor, int milliseconds) {
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  int count = poll(&wanted, 1, milliseconds);
  return count != 0 && !(count < 0 && errno == EINTR);
}
