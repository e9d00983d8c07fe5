#ifndef SNIPPET_WRITE_CALL_H
#define SNIPPET_WRITE_CALL_H

#include <sqlite3.h>
#include <sys/types.h>

// The call with which SQLite writes; include this behind `_FILE_OFFSET_BITS`.
typedef ssize_t (*Write)(int, const void *, size_t, off_t);

// Puts a call in the place of the one that SQLite writes with, which is kept in `former` before.
static inline void take_place_of_write(Write call, Write *former) {
  sqlite3_vfs *unix_vfs = sqlite3_vfs_find("unix");
  if (!unix_vfs || unix_vfs->iVersion < 3 || !unix_vfs->xSetSystemCall) return;
  // It uses one of them, as it is built.
  const char *name = "pwrite64";
  *former = (Write)unix_vfs->xGetSystemCall(unix_vfs, name);
  if (!*former) {
    name = "pwrite";
    *former = (Write)unix_vfs->xGetSystemCall(unix_vfs, name);
  }
  if (*former) unix_vfs->xSetSystemCall(unix_vfs, name, (sqlite3_syscall_ptr)call);
}

#endif
