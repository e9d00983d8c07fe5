#include "test_width.h"

#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static const char *const seed_variable = "SNIP_TEST_SEED";
static const char *const variable = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH";

int snippet_test_width(void) {
  const char *width = getenv(variable);
  return width == NULL ? 0 : atoi(width);
}

// Swift Testing starts all tests at once unless this variable says otherwise, and reads it before
// any Swift code of the tests can run. Some tests wait for a disk or another process, so there are
// more of them than cores.
__attribute__((constructor)) static void bound_width(void) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  char width[16];
  snprintf(width, sizeof width, "%ld", 3 * (cores < 1 ? 1 : cores));
  setenv(variable, width, 0);
}

// Chance has one seed for the tests and for all that they start, told at the start: also a test that
// traps can be run again.
__attribute__((constructor)) static void choose_seed(void) {
  if (getenv(seed_variable) != NULL) return;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint64_t mixed = ((uint64_t)now.tv_sec << 30) ^ (uint64_t)now.tv_nsec ^ ((uint64_t)getpid() << 40);
  // The finaliser of SplitMix64.
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  mixed ^= mixed >> 31;
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)mixed);
  setenv(seed_variable, seed, 0);
  fprintf(stderr, "SNIP_TEST_SEED=%s\n", seed);
}

// SQLite counts the memory of all connections under one lock, for which tests would wait that run at
// once. Nothing asks for the counts.
__attribute__((constructor)) static void leave_memory_uncounted(void) {
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
