#include "xz_library.h"

#include <dlfcn.h>
#include <pthread.h>

static struct xz_library library;
static int is_loaded;

static void load(void) {
  // The number belongs to the structure declared here.
  static const char *const file_names[] = {
      "liblzma.so.5", "liblzma.5.dylib", "/usr/lib/liblzma.5.dylib"};
  void *file = NULL;
  for (size_t index = 0; !file && index < sizeof file_names / sizeof *file_names; index++)
    file = dlopen(file_names[index], RTLD_LAZY | RTLD_LOCAL);
  if (!file) return;
  *(void **)&library.lzma_stream_decoder = dlsym(file, "lzma_stream_decoder");
  *(void **)&library.lzma_code = dlsym(file, "lzma_code");
  *(void **)&library.lzma_end = dlsym(file, "lzma_end");
  is_loaded = library.lzma_stream_decoder && library.lzma_code && library.lzma_end;
}

const struct xz_library *xz_library_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded ? &library : NULL;
}
