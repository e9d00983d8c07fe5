#include "shared_heap.h"

#include <stdlib.h> // says whether this is glibc

#ifdef __GLIBC__
#include <malloc.h>

void snippet_heap_share(void) {
  // Of one, two threads that format a list wait for each other for a quarter of their time.
  mallopt(M_ARENA_MAX, 2);
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
}

void snippet_heap_trim(void) { malloc_trim(0); }
#else
void snippet_heap_share(void) {}

void snippet_heap_trim(void) {}
#endif
