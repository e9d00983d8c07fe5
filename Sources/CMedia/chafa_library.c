#ifdef SNIPPET_MEDIA

// For dladdr.
#define _GNU_SOURCE

#include "chafa_library.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number belongs to the interface declared here; another number means another library.
static const char *const file_names[] = {
#ifdef __APPLE__
    "libchafa.0.dylib", "/opt/homebrew/lib/libchafa.0.dylib", "/usr/local/lib/libchafa.0.dylib",
#else
    "libchafa.so.0",
#endif
};

static struct chafa_library library;
static int is_loaded;
static char version[32];

// The library has no call for its version, but its file is named after it.
static void find_version(void) {
  Dl_info found;
  char path[PATH_MAX];
  if (!dladdr((void *)library.chafa_canvas_new, &found) || !realpath(found.dli_fname, path)) return;
  const char *name = strrchr(path, '/');
  name += strcspn(name, "0123456789");
  size_t length = strspn(name, "0123456789.");
  if (length && name[length - 1] == '.') length--;
  snprintf(version, sizeof version, "%.*s", (int)length, name);
}

static int load(void) {
  void *file = NULL;
  for (size_t index = 0; !file && index < sizeof file_names / sizeof *file_names; index++)
    file = dlopen(file_names[index], RTLD_LAZY | RTLD_LOCAL);
  if (!file) return -1;
  // The handle also finds the calls of GLib, which came with the library. It is never closed: GLib
  // keeps tables of its own.
#define CHAFA_LIBRARY_FIND(type, name, arguments) \
  library.name = (type(*) arguments)dlsym(file, #name); \
  if (!library.name) return -1;
  CHAFA_LIBRARY_CALLS(CHAFA_LIBRARY_FIND)
#undef CHAFA_LIBRARY_FIND
  return 0;
}

static void start(void) {
  if (load() != 0) return;
  find_version();
  is_loaded = 1;
}

const struct chafa_library *chafa_library_get(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  return is_loaded ? &library : NULL;
}

const char *chafa_library_version(void) { return chafa_library_get() ? version : NULL; }

#endif
