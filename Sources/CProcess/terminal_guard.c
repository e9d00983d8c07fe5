#include "terminal_guard.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static atomic_int is_armed;
static int terminal = -1;
static struct termios former_settings;
static char leaving[256];
static size_t leaving_count;

static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS};
enum { CRASH_COUNT = sizeof crashes / sizeof crashes[0] };
static struct sigaction former_actions[CRASH_COUNT];
static int has_handlers;

void snippet_terminal_guard_restore(void) {
  if (!atomic_exchange(&is_armed, 0)) return;
  int number = errno;
  size_t written = 0;
  while (written < leaving_count) {
    ssize_t count = write(terminal, leaving + written, leaving_count - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += (size_t)count;
  }
  tcsetattr(terminal, TCSANOW, &former_settings);
  errno = number;
}

static void restore_and_crash(int number) {
  snippet_terminal_guard_restore();
  for (int place = 0; place < CRASH_COUNT; place++) {
    if (crashes[place] == number) sigaction(number, &former_actions[place], NULL);
  }
  // Comes as soon as this returns, to its former handler.
  raise(number);
}

void snippet_terminal_guard_arm(int descriptor, const struct termios *settings,
                                const char *bytes, size_t count) {
  atomic_store(&is_armed, 0);
  terminal = descriptor;
  former_settings = *settings;
  leaving_count = count < sizeof leaving ? count : sizeof leaving;
  memcpy(leaving, bytes, leaving_count);
  if (!has_handlers) {
    has_handlers = 1;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = restore_and_crash;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int place = 0; place < CRASH_COUNT; place++) {
      sigaction(crashes[place], &action, &former_actions[place]);
    }
  }
  atomic_store(&is_armed, 1);
}
