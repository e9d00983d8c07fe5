#ifdef SNIPPET_MEDIA

#include "libav_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// A damaged file may ask for any amount at once. The largest accepted bitmap takes less.
enum { largest_allocation = 1 << 30 };

// A file with another number is another library, whatever its calls are named.
static void *open_library(const char *name, int number) {
  static const char *const patterns[] = {
#ifdef __APPLE__
      "lib%s.%d.dylib", "/opt/homebrew/lib/lib%s.%d.dylib", "/usr/local/lib/lib%s.%d.dylib",
#else
      "lib%s.so.%d",
#endif
  };
  void *file = NULL;
  for (size_t index = 0; !file && index < sizeof patterns / sizeof *patterns; index++) {
    char path[128];
    snprintf(path, sizeof path, patterns[index], name, number);
    file = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
  }
  return file;
}

static int load(struct libav_library *library) {
  void *util = open_library("avutil", LIBAVUTIL_VERSION_MAJOR);
  void *codec = open_library("avcodec", LIBAVCODEC_VERSION_MAJOR);
  void *format = open_library("avformat", LIBAVFORMAT_VERSION_MAJOR);
  if (!util || !codec || !format) return -1;
#define LIBAV_LIBRARY_FIND(file, name)                          \
  library->name = (__typeof__(&name))dlsym(file, #name); \
  if (!library->name) return -1;
#define FIND_UTIL(name) LIBAV_LIBRARY_FIND(util, name)
#define FIND_CODEC(name) LIBAV_LIBRARY_FIND(codec, name)
#define FIND_FORMAT(name) LIBAV_LIBRARY_FIND(format, name)
  LIBAV_LIBRARY_UTIL_CALLS(FIND_UTIL)
  LIBAV_LIBRARY_CODEC_CALLS(FIND_CODEC)
  LIBAV_LIBRARY_FORMAT_CALLS(FIND_FORMAT)
  return 0;
}

static struct libav_library library;
static int is_loaded;

static void start(void) {
  if (load(&library) != 0) return;
  // Its messages on standard error are suppressed: a failure is reported with its reason.
  library.av_log_set_level(AV_LOG_QUIET);
  library.av_max_alloc(largest_allocation);
  is_loaded = 1;
}

const struct libav_library *libav_library_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  return is_loaded ? &library : NULL;
}

#endif
