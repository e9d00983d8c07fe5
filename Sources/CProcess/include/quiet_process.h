#ifndef SNIPPET_QUIET_PROCESS_H
#define SNIPPET_QUIET_PROCESS_H

#include <sys/types.h>

/// Starts a program beside this one, with the null device for its standard streams: in a process
/// group of its own, which the keys of the terminal do not reach, and with the usual answers to all
/// signals.
///
/// A program blocks the signals that the thread blocks that starts it, and the threads that serve
/// queues and tasks block nearly all: one that were started so could not be ended but by `kill -9`.
///
/// In C because the attributes of a process to be started are another type on each system.
///
/// @param arguments The program's path and its arguments, and NULL at the end.
/// @param process Gets the number of the process, which is that of its group as well.
/// @return 0, or the number of the error.
int snippet_quiet_start(char *const arguments[], pid_t *process);

/// Waits until the program has ended. Its number is not given to another one before
/// `snippet_quiet_take`.
///
/// @return 0, or -1 when there is no such program.
int snippet_quiet_wait(pid_t process);

/// Takes the exit status of a program that has ended.
///
/// @return The status, 128 and its number for a signal that ended the program; -1 when there is no
///   such program.
int snippet_quiet_take(pid_t process);

#endif
