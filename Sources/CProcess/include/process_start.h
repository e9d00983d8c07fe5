#ifndef SNIPPET_PROCESS_START_H
#define SNIPPET_PROCESS_START_H

#include <spawn.h>

/// Sets a program up to start in a process group of its own, so that the keys of the terminal do
/// not reach both, and with the default handling of all signals.
///
/// A program inherits the blocked signals of the thread that starts it, and the threads that serve
/// queues and tasks block nearly all: such a program could only be ended by `kill -9`.
///
/// In C because the attributes of a process to start have another type on each system.
///
/// @param attributes The attributes for starting the program, just made.
/// @param actions The actions on its files; open files of this process other than the standard
/// streams are not passed on. NULL passes on everything that may be inherited.
void snippet_start_apart(posix_spawnattr_t *attributes, posix_spawn_file_actions_t *actions);

#endif
