#ifdef SNIPPET_MEDIA

#include "image_library.h"

#include <dlfcn.h>

// The number belongs to the interface declared here; another number means another library.
static const char *const file_names[] = {
#ifdef __APPLE__
    "libvips.42.dylib", "/opt/homebrew/lib/libvips.42.dylib", "/usr/local/lib/libvips.42.dylib",
#else
    "libvips.so.42",
#endif
};

int image_library_load(struct image_library *library) {
  void *file = NULL;
  for (size_t index = 0; !file && index < sizeof file_names / sizeof *file_names; index++)
    file = dlopen(file_names[index], RTLD_LAZY | RTLD_LOCAL);
  if (!file) return -1;
  // The handle finds the calls of GLib too, which was loaded with the library. It is never closed:
  // GLib keeps threads and tables of its own.
#define IMAGE_LIBRARY_FIND(type, name, arguments) \
  library->name = (type(*) arguments)dlsym(file, #name); \
  if (!library->name) return -1;
  IMAGE_LIBRARY_CALLS(IMAGE_LIBRARY_FIND)
#undef IMAGE_LIBRARY_FIND
  return 0;
}

#endif
