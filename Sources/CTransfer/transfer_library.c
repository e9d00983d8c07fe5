#ifndef __APPLE__

#include "transfer_library.h"

#include <dlfcn.h>

// The number belongs to the interface declared here; both builds have it.
static const char *const file_names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};

int transfer_library_load(struct transfer_library *library) {
  void *file = NULL;
  for (size_t index = 0; !file && index < sizeof file_names / sizeof *file_names; index++)
    file = dlopen(file_names[index], RTLD_LAZY | RTLD_LOCAL);
  if (!file) return -1;
  // The handle is never closed: libraries that came with it keep tables of their own.
#define TRANSFER_LIBRARY_FIND(type, name, arguments) \
  library->name = (type(*) arguments)dlsym(file, #name); \
  if (!library->name) return -1;
  TRANSFER_LIBRARY_CALLS(TRANSFER_LIBRARY_FIND)
#undef TRANSFER_LIBRARY_FIND
  return 0;
}

#endif
