#include "shared_heap.h"

#include <stdlib.h> // says whether this is glibc

#ifdef __GLIBC__
#include <malloc.h>

void snippet_heap_share(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 64 << 10);
}

void snippet_heap_trim(void) { malloc_trim(0); }
#else
void snippet_heap_share(void) {}

void snippet_heap_trim(void) {}
#endif
