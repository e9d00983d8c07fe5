#include "xml_library.h"

#include <dlfcn.h>
#include <stddef.h>

// The calls declared here are the same under both numbers.
static const char *const file_names[] = {"libxml2.so.2", "libxml2.so.16", "libxml2.2.dylib"};

int xml_library_load(struct xml_library *library) {
  void *file = NULL;
  for (size_t index = 0; !file && index < sizeof file_names / sizeof *file_names; index++)
    file = dlopen(file_names[index], RTLD_LAZY | RTLD_LOCAL);
  if (!file) return -1;
  // The handle is never closed: the library keeps tables of its own.
#define XML_LIBRARY_FIND(type, name, arguments) \
  library->name = (type(*) arguments)dlsym(file, #name); \
  if (!library->name) return -1;
  XML_LIBRARY_CALLS(XML_LIBRARY_FIND)
#undef XML_LIBRARY_FIND
  return 0;
}
