#if defined(__linux__)
// For syncfs, statx and renameat2.
#define _GNU_SOURCE
#endif
#include "file_system.h"

#include <stdio.h>
#include <unistd.h>

#if defined(__linux__)
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

unsigned int snippet_file_system_kind(const char *path) {
  struct statfs status;
  return statfs(path, &status) == 0 ? (unsigned int)status.f_type : 0;
}

int snippet_sync_file_system(int folder) { return syncfs(folder); }

int snippet_is_mount_root(const char *path) {
#if defined(STATX_ATTR_MOUNT_ROOT)
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_TYPE, &status) != 0) return 0;
  return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
#else
  (void)path;
  return 0;
#endif
}

int snippet_rename_to_new(int folder, const char *name, const char *other) {
  return renameat2(folder, name, folder, other, RENAME_NOREPLACE);
}

int snippet_exchange(int folder, const char *name, const char *other) {
  return renameat2(folder, name, folder, other, RENAME_EXCHANGE);
}
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

int snippet_is_mount_root(const char *path) {
  (void)path;
  return 0;
}

int snippet_rename_to_new(int folder, const char *name, const char *other) {
  return renameatx_np(folder, name, folder, other, RENAME_EXCL);
}

int snippet_exchange(int folder, const char *name, const char *other) {
  return renameatx_np(folder, name, folder, other, RENAME_SWAP);
}
#endif
