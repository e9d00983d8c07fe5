#ifndef SNIPPET_PROCESS_START_H
#define SNIPPET_PROCESS_START_H

#include <spawn.h>

/// Has a program start in a process group of its own, so that the keys of the terminal do not reach
/// both, and with the usual answers to all signals.
///
/// A program blocks the signals that the thread blocks that starts it, and the threads that serve
/// queues and tasks block nearly all: one that were started so could not be ended but by `kill -9`.
///
/// In C because the attributes of a process to be started are another type on each system.
///
/// @param attributes What the program is started with, just made.
/// @param actions What becomes of its files, and those that are open here beyond its standard
///   streams are not for it; NULL where it is given all that may be inherited.
void snippet_start_apart(posix_spawnattr_t *attributes, posix_spawn_file_actions_t *actions);

#endif
