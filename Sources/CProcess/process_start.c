// For the function that has a program start without the files that are open here.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "include/process_start.h"

#include <signal.h>
#include <unistd.h>

void snippet_start_apart(posix_spawnattr_t *attributes, posix_spawn_file_actions_t *actions) {
  short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
  if (actions) {
#if defined(__APPLE__)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#elif defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    posix_spawn_file_actions_addclosefrom_np(actions, STDERR_FILENO + 1);
#endif
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  // Signals that no process can change would make the start fail on some systems.
  sigdelset(&all, SIGKILL);
  sigdelset(&all, SIGSTOP);
  posix_spawnattr_setpgroup(attributes, 0);
  posix_spawnattr_setsigmask(attributes, &none);
  posix_spawnattr_setsigdefault(attributes, &all);
  posix_spawnattr_setflags(attributes, flags);
}
