#ifndef SNIPPET_TERMINAL_GUARD_H
#define SNIPPET_TERMINAL_GUARD_H

#include <stddef.h>
#include <termios.h>

/// Remembers how to restore a terminal, and restores it if the process crashes.
///
/// In C because a signal handler may neither lock nor allocate, which no Swift code can promise.
/// The crash then continues as it would have without this.
///
/// @param descriptor The terminal.
/// @param settings Its settings before it was taken over.
/// @param bytes The bytes to write to it; at most 256 are kept.
void snippet_terminal_guard_arm(int descriptor, const struct termios *settings,
                                const char *bytes, size_t count);

/// Restores the terminal, unless that has been done.
///
/// Safe in a signal handler.
void snippet_terminal_guard_restore(void);

#endif
