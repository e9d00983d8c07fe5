#ifdef __linux__

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "call_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "filter_library.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

// Each with any arguments. A name that this processor does not have is skipped.
static const char *const allowed[] = {
    // The descriptors that it was started with: the socket, and the null device. A pass for another
    // file over the socket needs sendmsg or recvmsg.
    "read", "readv", "write", "writev", "recvfrom", "lseek", "close", "fstat",
    // Waiting. A thread that waits when the filter comes calls again once the process was stopped
    // and continues: if that failed, the queues of the system's library would retry it for ever.
    "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "pause", "poll", "ppoll", "pselect6",
    "rt_sigsuspend", "rt_sigtimedwait", "select",
    // Memory. libvips writes code for the processor as it runs, so pages may be made executable.
    "brk", "madvise", "mmap", "mprotect", "mremap", "munmap",
    // Threads.
    "exit", "futex", "futex_waitv", "get_robust_list", "getcpu", "gettid", "membarrier", "rseq",
    "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getattr",
    "sched_getparam", "sched_getscheduler", "sched_yield", "set_robust_list",
    // Signals to itself.
    "restart_syscall", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack",
    // Time, and limits of its own.
    "alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "getrlimit",
    "getrusage", "gettimeofday", "nanosleep", "setitimer", "setrlimit", "time", "times",
    // Identities and the system, and random numbers.
    "getegid", "geteuid", "getgid", "getpid", "getppid", "getrandom", "getuid", "sysinfo", "uname",
    "exit_group",
};

// Allowed if one argument, as far as the mask reaches, has a value.
struct allowed_case {
  const char *name;
  unsigned argument;
  uint64_t mask;
  uint64_t value;
};

// The bits of an int, as the kernel takes it.
static const uint64_t whole = 0xffffffffU;
static const uint64_t pointer = ~(uint64_t)0;
static const uint64_t thread_flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD;
static const uint64_t namespace_flags = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                        CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                        CLONE_NEWNET;

static int add(const struct filter_library *library, void *filter, uint32_t action,
               const char *name, unsigned count,
               const struct filter_library_condition *conditions) {
  int number = library->seccomp_syscall_resolve_name(name);
  if (number < 0) return 0;
  return library->seccomp_rule_add_array(filter, action, number, count, conditions);
}

static int add_cases(const struct filter_library *library, void *filter) {
  uint64_t process = (uint64_t)getpid();
  const struct allowed_case cases[] = {
      // A thread, never a process. It is the first argument on every processor that Swift runs on.
      {"clone", 0, thread_flags | namespace_flags, thread_flags},
      // Like send, which names no receiver.
      {"sendto", 4, pointer, 0},
      // The signals of abort and of crash handlers.
      {"tgkill", 0, whole, process},
      {"prlimit64", 0, whole, 0},
      {"prlimit64", 0, whole, process},
      // GLib gives its threads the class of the one that asks for them.
      {"sched_setattr", 0, whole, 0},
      // Names of threads and of memory.
      {"prctl", 0, whole, PR_SET_NAME},
      {"prctl", 0, whole, PR_GET_NAME},
      {"prctl", 0, whole, PR_SET_VMA},
      {"fcntl", 1, whole, F_GETFD},
      {"fcntl", 1, whole, F_GETFL},
  };
  for (size_t index = 0; index < sizeof cases / sizeof *cases; index++) {
    struct filter_library_condition condition = {
        cases[index].argument, filter_library_masked, cases[index].mask, cases[index].value};
    int error = add(library, filter, FILTER_LIBRARY_ALLOW, cases[index].name, 1, &condition);
    if (error != 0) return error;
  }
  return 0;
}

static int fill(const struct filter_library *library, void *filter) {
  int error = library->seccomp_attr_set(filter, filter_library_all_threads, 1);
  if (error != 0) return error;
  // Both are newer than the rest, and it works without.
  library->seccomp_attr_set(filter, filter_library_stop_on_other_processor, FILTER_LIBRARY_KILL);
  library->seccomp_attr_set(filter, filter_library_errors_of_system, 1);
  for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++) {
    error = add(library, filter, FILTER_LIBRARY_ALLOW, allowed[index], 0, NULL);
    if (error != 0) return error;
  }
  error = add_cases(library, filter);
  if (error != 0) return error;
  // Its flags are in memory, where a filter does not look. As if the kernel were older: then the
  // system's library makes threads with clone.
  return add(library, filter, FILTER_LIBRARY_FAIL(ENOSYS), "clone3", 0, NULL);
}

int call_filter_install(const struct filter_library *library) {
  void *filter = library->seccomp_init(FILTER_LIBRARY_FAIL(EPERM));
  if (!filter) return ENOMEM;
  int error = fill(library, filter);
  if (error == 0) error = library->seccomp_load(filter);
  library->seccomp_release(filter);
  return error < 0 ? -error : error;
}

#endif
