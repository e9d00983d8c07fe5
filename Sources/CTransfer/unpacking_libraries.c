#include "unpacking_libraries.h"

#include <dlfcn.h>
#include <pthread.h>

static struct unpacking_libraries libraries;

// The numbers belong to the structures and calls declared here.
static void *open_one(const char *const *names) {
  void *file = NULL;
  while (!file && *names) file = dlopen(*names++, RTLD_LAZY | RTLD_LOCAL);
  return file;
}

static void load(void) {
  static const char *const xz[] = {
      "liblzma.so.5", "liblzma.5.dylib", "/usr/lib/liblzma.5.dylib", NULL};
  static const char *const bzip2[] = {
      "libbz2.so.1.0", "libbz2.so.1", "/usr/lib/libbz2.1.0.dylib", NULL};
  static const char *const zstd[] = {"libzstd.so.1", "libzstd.1.dylib", NULL};
  void *file = open_one(xz);
#define FIND(name) *(void **)&libraries.name = file ? dlsym(file, #name) : NULL;
  FIND(lzma_stream_decoder)
  FIND(lzma_code)
  FIND(lzma_end)
  file = open_one(bzip2);
  FIND(BZ2_bzDecompressInit)
  FIND(BZ2_bzDecompress)
  FIND(BZ2_bzDecompressEnd)
  file = open_one(zstd);
  FIND(ZSTD_createDStream)
  FIND(ZSTD_decompressStream)
  FIND(ZSTD_isError)
  FIND(ZSTD_freeDStream)
#undef FIND
}

const struct unpacking_libraries *unpacking_libraries_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return &libraries;
}
