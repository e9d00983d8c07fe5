#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "forbidden_calls.h"

#include <errno.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__

#include <fcntl.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

static const struct sockaddr_in nobody = {.sin_family = AF_INET};
static char word[1];
static struct iovec piece = {word, sizeof word};

static long fork_process(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child;
}

static long fork_sharing_memory(void) {
  pid_t child = vfork();
  if (child == 0) _exit(0);
  if (child > 0) waitpid(child, NULL, 0);
  return child;
}

static long clone_process(void) {
  long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child;
}

static long start_program(void) {
  char *arguments[] = {"true", NULL};
  return execve("/bin/true", arguments, NULL);
}

static long send_to_somebody(void) {
  return sendto(STDERR_FILENO, word, 0, MSG_NOSIGNAL, (const struct sockaddr *)&nobody,
                sizeof nobody);
}

static long send_a_pass(void) {
  struct msghdr message = {.msg_iov = &piece, .msg_iovlen = 1};
  return sendmsg(STDERR_FILENO, &message, MSG_NOSIGNAL);
}

static long limit_another(void) {
  struct rlimit limits;
  return prlimit(getppid(), RLIMIT_CPU, NULL, &limits);
}

// A call in words, whether it needs rights, and the call.
#define FORBIDDEN_CALLS(call)                                                                      \
  call("fork", 0, fork_process())                                                                  \
  call("vfork", 0, fork_sharing_memory())                                                          \
  call("clone of a process", 0, clone_process())                                                   \
  call("unshare", 0, unshare(CLONE_FS))                                                            \
  call("setns", 0, setns(STDERR_FILENO, 0))                                                        \
  call("execve", 0, start_program())                                                               \
  call("execveat", 0, syscall(SYS_execveat, -1, "", NULL, NULL, 0))                                \
  call("socket of a network", 0, socket(AF_INET, SOCK_STREAM, 0))                                  \
  call("socket of this machine", 0, socket(AF_UNIX, SOCK_STREAM, 0))                               \
  call("socketpair", 0, socketpair(AF_UNIX, SOCK_STREAM, 0, (int[2]){0}))                          \
  call("connect", 0,                                                                               \
       connect(STDERR_FILENO, (const struct sockaddr *)&nobody, sizeof nobody))                    \
  call("bind", 0, bind(STDERR_FILENO, (const struct sockaddr *)&nobody, sizeof nobody))            \
  call("listen", 0, listen(STDERR_FILENO, 1))                                                      \
  call("accept", 0, accept(STDERR_FILENO, NULL, NULL))                                             \
  call("sendto an address", 0, send_to_somebody())                                                 \
  call("sendmsg", 0, send_a_pass())                                                                \
  call("ptrace", 0, ptrace(PTRACE_TRACEME, 0, NULL, NULL))                                         \
  call("process_vm_readv", 0, process_vm_readv(getpid(), &piece, 1, &piece, 1, 0))                 \
  call("process_vm_writev", 0, process_vm_writev(getpid(), &piece, 1, &piece, 1, 0))               \
  call("kill", 0, kill(getppid(), 0))                                                              \
  call("tgkill of another", 0, syscall(SYS_tgkill, getppid(), getppid(), 0))                       \
  call("tkill", 0, syscall(SYS_tkill, getppid(), 0))                                               \
  call("rt_sigqueueinfo", 0, syscall(SYS_rt_sigqueueinfo, getpid(), 0, NULL))                      \
  call("pidfd_open", 0, syscall(SYS_pidfd_open, getppid(), 0))                                     \
  call("prlimit of another", 0, limit_another())                                                   \
  call("setpriority", 0, setpriority(PRIO_PROCESS, 0, 19))                                         \
  call("open for reading", 0, open("/dev/null", O_RDONLY))                                         \
  call("open for writing", 0, open("/dev/null", O_WRONLY))                                         \
  call("creat", 0, creat("/nowhere/file", 0600))                                                   \
  call("openat2", 0, syscall(SYS_openat2, AT_FDCWD, "/dev/null", NULL, 0))                         \
  call("open_by_handle_at", 1, syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, 0))                  \
  call("memfd_create", 0, syscall(SYS_memfd_create, "x", 0))                                       \
  call("stat", 0, fstatat(AT_FDCWD, "/dev/null", &(struct stat){0}, 0))                            \
  call("readlink", 0, readlink("/proc/self/exe", word, sizeof word))                               \
  call("unlink", 0, unlink("/nowhere/file"))                                                       \
  call("rename", 0, rename("/nowhere/file", "/nowhere/other"))                                     \
  call("mkdir", 0, mkdir("/nowhere/folder", 0700))                                                 \
  call("chmod", 0, chmod("/nowhere/file", 0600))                                                   \
  call("truncate", 0, truncate("/nowhere/file", 0))                                                \
  call("dup", 0, dup(STDERR_FILENO))                                                               \
  call("ioctl", 0, ioctl(STDERR_FILENO, TIOCSTI, word))                                            \
  call("fcntl that names a receiver of signals", 0, fcntl(STDERR_FILENO, F_SETOWN, getppid()))     \
  call("prctl that opens memory to others", 0, prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))                 \
  call("mount", 1, mount(NULL, "/nowhere", NULL, 0, NULL))                                         \
  call("chroot", 1, chroot("/nowhere"))                                                            \
  call("setuid", 0, setuid(getuid()))                                                              \
  call("bpf", 1, syscall(SYS_bpf, 0, NULL, 0))                                                     \
  call("perf_event_open", 1, syscall(SYS_perf_event_open, NULL, 0, 0, -1, 0))                      \
  call("io_uring_setup", 1, syscall(SYS_io_uring_setup, 1, NULL))                                  \
  call("userfaultfd", 1, syscall(SYS_userfaultfd, 0))                                              \
  call("keyctl", 0, syscall(SYS_keyctl, 0, -3, 0))                                                 \
  call("add_key", 0, syscall(SYS_add_key, "", NULL, NULL, 0, 0))                                   \
  call("seccomp", 0, syscall(SYS_seccomp, 2, 0, NULL))                                             \
  call("personality", 0, syscall(SYS_personality, 0xffffffff))                                     \
  call("shmget", 0, syscall(SYS_shmget, 0, 4096, 0600))                                            \
  call("a call that no kernel has", 0, syscall(100000))

enum {
#define COUNT(name, rights, result) +1
  call_count = 0 FORBIDDEN_CALLS(COUNT)
};

const char *snippet_forbidden_call_name(int number) {
#define NAME(name, rights, result) name,
  static const char *const names[] = {FORBIDDEN_CALLS(NAME)};
  return names[number];
}

int snippet_forbidden_call_needs_rights(int number) {
#define RIGHTS(name, rights, result) rights,
  static const int needs_rights[] = {FORBIDDEN_CALLS(RIGHTS)};
  return needs_rights[number];
}

int snippet_forbidden_call_error(int number) {
  int next = 0;
  errno = 0;
#define MAKE(name, rights, result) \
  if (next++ == number) return (result) < 0 ? errno : 0;
  FORBIDDEN_CALLS(MAKE)
  return -1;
}

#else

enum { call_count = 0 };

const char *snippet_forbidden_call_name(int number) {
  (void)number;
  return "";
}

int snippet_forbidden_call_needs_rights(int number) {
  (void)number;
  return 0;
}

int snippet_forbidden_call_error(int number) {
  (void)number;
  return -1;
}

#endif

int snippet_forbidden_call_count(void) { return call_count; }

int snippet_forbidden_call_error_apart(int number) {
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) _exit(snippet_forbidden_call_error(number));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}
