#ifndef SNIPPET_KEPT_LOCKS_H
#define SNIPPET_KEPT_LOCKS_H

/// Begins to keep the locks of a store's file while a connection to it is opened.
///
/// SQLite uses POSIX locks, which belong to the process: when any code in it closes any descriptor
/// of the file, all of them are gone, and SQLite does not notice
/// (https://www.sqlite.org/howtocorrupt.html, section 2.2). The locks of a kept file belong to a
/// descriptor of their own instead (`F_OFD_SETLK`), which no other `close` affects. They exclude
/// the POSIX locks of other processes as before.
///
/// That holds for every connection of this process by the same SQLite library that is opened while
/// the file is kept, also by other code, and for the index of its log. The file stays kept until
/// all of them are closed. Other databases have POSIX locks as ever.
///
/// @param path The path of an existing file.
/// @return The file, for `snippet_end_keeping_locks`. NULL if its locks are POSIX locks: on systems
/// other than Linux, without `/proc`, and where a connection that was opened earlier has locked the
/// file.
void *snippet_begin_keeping_locks(const char *path);

/// Ends it once the connection is open, or has failed to open.
///
/// @param kept The file; NULL is allowed.
void snippet_end_keeping_locks(void *kept);

/// Returns why SQLite could last not make a file on this thread, and forgets it.
///
/// SQLite then tries to open the file for reading, and keeps the error of that instead: that there
/// is no such file.
///
/// @return A value of `errno`; 0 if there is none, or while no locks have been kept yet.
int snippet_take_refused_creation(void);

#endif
