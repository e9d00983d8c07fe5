#ifndef SNIPPET_QUIET_PROCESS_H
#define SNIPPET_QUIET_PROCESS_H

#include <sys/types.h>

/// Starts a program beside this one, set up as by `snippet_start_apart`, with the null device for
/// its standard streams.
///
/// @param arguments The program's path and its arguments, with NULL at the end.
/// @param process Receives the number of the process, which is also that of its group.
/// @return 0, or the number of the error.
int snippet_quiet_start(char *const arguments[], pid_t *process);

/// Waits until the program has ended.
///
/// Its number is not reused before `snippet_quiet_take`.
///
/// @return 0, or -1 when there is no such program.
int snippet_quiet_wait(pid_t process);

/// Takes the exit status of a program that has ended.
///
/// @return The status, or 128 plus the number of the signal that ended the program; -1 when there
/// is no such program.
int snippet_quiet_take(pid_t process);

#endif
