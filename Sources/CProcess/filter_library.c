#ifdef __linux__

#include "filter_library.h"

#include <dlfcn.h>

int filter_library_load(struct filter_library *library) {
  // The number is that of the interface declared here. It is never closed: the process that loads
  // it is filtered until it ends.
  void *file = dlopen("libseccomp.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!file) return -1;
#define FILTER_LIBRARY_FIND(type, name, arguments)     \
  library->name = (type(*) arguments)dlsym(file, #name); \
  if (!library->name) return -1;
  FILTER_LIBRARY_CALLS(FILTER_LIBRARY_FIND, int)
  FILTER_LIBRARY_ADD(FILTER_LIBRARY_FIND, filter_library_condition)
#undef FILTER_LIBRARY_FIND
  return 0;
}

#endif
