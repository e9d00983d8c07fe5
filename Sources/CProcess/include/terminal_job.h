#ifndef SNIPPET_TERMINAL_JOB_H
#define SNIPPET_TERMINAL_JOB_H

#include <sys/types.h>

/// Starts a program on a terminal, as a shell starts one: in a process group of its own, which keys
/// such as Ctrl-C and Ctrl-Z are for, and with the usual answers to all signals.
///
/// In C because the attributes of a process to be started are another type on each system.
///
/// @param arguments The program's path and its arguments, and NULL at the end.
/// @param terminal The descriptor of the terminal. Where it is not that of this session, the program
///   runs without control of it.
/// @param process Gets the number of the process.
/// @return 0, or the number of the error.
int snippet_job_start(char *const arguments[], int terminal, pid_t *process);

/// Waits until the program has ended or was stopped, and takes the terminal back then.
///
/// @param status Gets the exit status, 128 and its number for a signal that ended the program, or
///   the number of the signal that stopped it.
/// @return 0 when it has ended, 1 when it was stopped, -1 when there is no such program.
int snippet_job_wait(pid_t process, int terminal, int *status);

/// Lets a program that was stopped go on with the terminal.
void snippet_job_continue(pid_t process, int terminal);

#endif
