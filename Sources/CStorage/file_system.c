#if defined(__linux__)
// For syncfs.
#define _GNU_SOURCE
#endif
#include "file_system.h"

#include <unistd.h>

#if defined(__linux__)
#include <sys/vfs.h>

unsigned int snippet_file_system_kind(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (unsigned int)status.f_type : 0;
}

int snippet_sync_file_system(int folder) { return syncfs(folder); }
#else
#include <sys/mount.h>
#include <sys/param.h>

unsigned int snippet_file_system_kind(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 && !(status.f_flags & MNT_LOCAL) ? 0x6969 : 0;
}

int snippet_sync_file_system(int folder) {
  (void)folder;
  sync();
  return 0;
}
#endif
