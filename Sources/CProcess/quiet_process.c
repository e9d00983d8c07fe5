#include "include/quiet_process.h"
#include "include/process_start.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int snippet_quiet_start(char *const arguments[], pid_t *process) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  snippet_start_apart(&attributes, &actions);
  error = posix_spawn(process, arguments[0], &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int snippet_quiet_wait(pid_t process) {
  siginfo_t information;
  int result;
  do {
    result = waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT);
  } while (result < 0 && errno == EINTR);
  return result;
}

int snippet_quiet_take(pid_t process) {
  int status;
  pid_t result;
  do {
    result = waitpid(process, &status, 0);
  } while (result < 0 && errno == EINTR);
  if (result < 0) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
