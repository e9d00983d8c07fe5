#include "CAllocationCount.h"

#if defined(__GLIBC__)
#include <malloc.h>
#include <stddef.h>

// glibc lets a program bring its own malloc; these count and pass on to the real ones.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local int64_t count;

void *malloc(size_t size) {
  count += 1;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count += 1;
  return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
  count += 1;
  return __libc_realloc(pointer, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count += 1;
  *result = __libc_memalign(alignment, size);
  return *result == NULL ? 12 : 0;
}

int64_t allocation_count(void) { return count; }

int64_t allocated_byte_count(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}
#else
int64_t allocation_count(void) { return -1; }

int64_t allocated_byte_count(void) { return -1; }
#endif
