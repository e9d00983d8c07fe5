#ifndef SNIPPET_STORE_FAULTS_H
#define SNIPPET_STORE_FAULTS_H

#include <stdint.h>

/// What SQLite asks of its file system.
///
/// All but the last three are system calls of its own file system, with real error numbers; those
/// three are calls of the file system itself, which makes no replaceable system call for them. Kinds
/// of system calls that do the same are one.
typedef enum {
  SNIPPET_CALL_OPEN,
  SNIPPET_CALL_LOOK, // stat, fstat, lstat, access
  SNIPPET_CALL_READ,
  SNIPPET_CALL_WRITE,
  SNIPPET_CALL_TRUNCATE,
  SNIPPET_CALL_DELETE,
  SNIPPET_CALL_LOCK,
  SNIPPET_CALL_MAP,
  SNIPPET_CALL_ALLOCATE,
  SNIPPET_CALL_SYNC,   // of a file or, with its path, of a folder
  SNIPPET_CALL_SHARE,  // a part of the index of the log is asked for
  SNIPPET_CALL_UNFETCH // a mapped page is given back
} snippet_call_kind;

/// One call, before it is made.
typedef struct {
  snippet_call_kind kind;
  const char *path;
  int64_t offset;    // where it reads or writes; the new size of what is truncated
  int64_t count;     // how many bytes it reads or writes
  const void *bytes; // what it writes
  int creates;       // whether it opens a file that may not be there yet
} snippet_call;

/// What becomes of a call: 0 when it is made, the number of an error with which it fails, or one of
/// the two below.
typedef int (*snippet_call_hook)(void *context, const snippet_call *call);

/// The call is made with half of its bytes.
#define SNIPPET_CALL_IS_SHORT (-1)
/// The call is not made and tells that it was.
#define SNIPPET_CALL_LIES (-2)

/// Has every call of SQLite on files in one folder told before it is made.
///
/// Every file that this process opens from now on takes part, so an exit test must call it, once.
///
/// @param folder The path of the folder as SQLite is given it, without links.
/// @param hook Called on the thread that makes the call; it may wait.
/// @param context What the hook is given.
/// @return The result code of SQLite.
int snippet_store_faults_install(const char *folder, snippet_call_hook hook, void *context);

/// Has the file system know no locks but those of POSIX, as some do.
void snippet_store_faults_know_posix_locks_only(void);

#endif
