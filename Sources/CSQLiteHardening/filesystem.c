#include "filesystem.h"

#if defined(__linux__)
#include <sys/vfs.h>

unsigned int snippet_file_system_kind(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (unsigned int)status.f_type : 0;
}
#else
#include <sys/mount.h>
#include <sys/param.h>

unsigned int snippet_file_system_kind(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 && !(status.f_flags & MNT_LOCAL) ? 0x6969 : 0;
}
#endif
