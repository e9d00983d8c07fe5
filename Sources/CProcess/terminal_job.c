#include "include/terminal_job.h"
#include "include/process_start.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// A process that gives a terminal away, or takes it back, is stopped for that unless it has this
// signal blocked.
static void give(int terminal, pid_t group) {
  sigset_t signals, former;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &signals, &former);
  tcsetpgrp(terminal, group);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
}

int snippet_job_start(char *const arguments[], int terminal, pid_t *process) {
  posix_spawnattr_t attributes;
  int error = posix_spawnattr_init(&attributes);
  if (error != 0) return error;
  snippet_start_apart(&attributes, NULL);
  error = posix_spawn(process, arguments[0], NULL, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  if (error == 0) give(terminal, *process);
  return error;
}

int snippet_job_wait(pid_t process, int terminal, int *status) {
  int found;
  pid_t result;
  do {
    result = waitpid(process, &found, WUNTRACED);
  } while (result < 0 && errno == EINTR);
  give(terminal, getpgrp());
  if (result < 0) return -1;
  if (WIFSTOPPED(found)) {
    *status = WSTOPSIG(found);
    return 1;
  }
  *status = WIFEXITED(found) ? WEXITSTATUS(found) : 128 + WTERMSIG(found);
  return 0;
}

void snippet_job_continue(pid_t process, int terminal) {
  give(terminal, process);
  kill(-process, SIGCONT);
}
