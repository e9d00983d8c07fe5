#if defined(__linux__)
// For syncfs, statx and renameat2.
#define _GNU_SOURCE
#endif
#include "file_system.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__linux__)
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <sys/xattr.h>

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

int snippet_protection(const char *path) {
#if defined(STATX_ATTR_IMMUTABLE)
  struct statx status;
  if (statx(AT_FDCWD, path, 0, STATX_TYPE, &status) != 0) return 0;
  if (status.stx_attributes & STATX_ATTR_IMMUTABLE) return 2;
  return status.stx_attributes & STATX_ATTR_APPEND ? 1 : 0;
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

static void take_attribute(int file, int former, const char *name) {
  // Those of programs, and the access list; the rest is the system's.
  if (strncmp(name, "user.", 5) != 0 && strcmp(name, "system.posix_acl_access") != 0) return;
  ssize_t count = fgetxattr(former, name, 0, 0);
  char *value = count < 0 ? 0 : malloc((size_t)count + 1);
  if (!value) return;
  count = fgetxattr(former, name, value, (size_t)count);
  if (count >= 0) fsetxattr(file, name, value, (size_t)count, 0);
  free(value);
}

static void take_attributes(int file, int former) {
  ssize_t count = flistxattr(former, 0, 0);
  char *names = count <= 0 ? 0 : malloc((size_t)count);
  if (!names) return;
  count = flistxattr(former, names, (size_t)count);
  for (ssize_t start = 0; start < count; start += (ssize_t)strlen(names + start) + 1) {
    take_attribute(file, former, names + start);
  }
  free(names);
}
#else
#include <copyfile.h>
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

int snippet_protection(const char *path) {
  struct stat status;
  if (stat(path, &status) != 0) return 0;
  if (status.st_flags & (UF_IMMUTABLE | SF_IMMUTABLE)) return 2;
  return status.st_flags & (UF_APPEND | SF_APPEND) ? 1 : 0;
}

int snippet_rename_to_new(int folder, const char *name, const char *other) {
  return renameatx_np(folder, name, folder, other, RENAME_EXCL);
}

int snippet_exchange(int folder, const char *name, const char *other) {
  return renameatx_np(folder, name, folder, other, RENAME_SWAP);
}

static void take_attributes(int file, int former) {
  fcopyfile(former, file, 0, COPYFILE_XATTR | COPYFILE_ACL);
}
#endif

void snippet_take_owner(int file, int former) {
  struct stat status;
  if (fstat(former, &status) == 0 && fchown(file, status.st_uid, status.st_gid) != 0) {
    // Only root gives files away, but a group may be one of several.
    if (fchown(file, (uid_t)-1, status.st_gid) != 0) { /* It keeps its own. */ }
  }
  take_attributes(file, former);
}
