#include "test_width.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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
  snprintf(width, sizeof width, "%ld", 2 * (cores < 1 ? 1 : cores));
  setenv(variable, width, 0);
}
