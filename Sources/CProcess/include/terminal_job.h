#ifndef SNIPPET_TERMINAL_JOB_H
#define SNIPPET_TERMINAL_JOB_H

#include <sys/types.h>

/// Starts a program on a terminal as a shell does: in a process group of its own, which receives
/// keys such as Ctrl-C and Ctrl-Z, and with the default handling of all signals.
///
/// In C because the attributes of a process to start have another type on each system.
///
/// @param arguments The program's path and its arguments, with NULL at the end.
/// @param terminal The descriptor of the terminal. If it is not that of this session, the program
/// runs without control of it.
/// @param process Receives the number of the process.
/// @return 0, or the number of the error.
int snippet_job_start(char *const arguments[], int terminal, pid_t *process);

/// Waits until the program has ended or was stopped, then takes the terminal back.
///
/// @param status Receives the exit status, 128 plus the number of the signal that ended the
/// program, or the number of the signal that stopped it.
/// @return 0 when it has ended, 1 when it was stopped, -1 when there is no such program.
int snippet_job_wait(pid_t process, int terminal, int *status);

/// Lets a stopped program continue with the terminal.
void snippet_job_continue(pid_t process, int terminal);

#endif
