#include "archive_library.h"

#include <dlfcn.h>

// The number belongs to the interface declared here; that of Apple's systems is another one.
static const char *const file_names[] = {
    "libarchive.so.13", "libarchive.13.dylib", "/usr/lib/libarchive.2.dylib"};

int archive_library_load(struct archive_library *library) {
  void *file = NULL;
  for (size_t index = 0; !file && index < sizeof file_names / sizeof *file_names; index++)
    file = dlopen(file_names[index], RTLD_LAZY | RTLD_LOCAL);
  if (!file) return -1;
  // The handle is never closed: libraries that came with it keep tables of their own.
#define ARCHIVE_LIBRARY_FIND(type, name, arguments) \
  library->name = (type(*) arguments)dlsym(file, #name); \
  if (!library->name) return -1;
  ARCHIVE_LIBRARY_CALLS(ARCHIVE_LIBRARY_FIND)
#undef ARCHIVE_LIBRARY_FIND
  return 0;
}
