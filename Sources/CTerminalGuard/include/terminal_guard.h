#ifndef SNIPPET_TERMINAL_GUARD_H
#define SNIPPET_TERMINAL_GUARD_H

#include <stddef.h>
#include <termios.h>

/// Remembers how a terminal is to be left, and leaves it so should the process crash.
///
/// Out of Swift's reach: what runs in the handler of a signal may take no lock and no memory. The
/// crash then goes on as it would have without this.
///
/// @param descriptor The terminal.
/// @param settings What it was set to before.
/// @param bytes What to write to it; at most 256 are kept.
void snippet_terminal_guard_arm(int descriptor, const struct termios *settings,
                                const char *bytes, size_t count);

/// Leaves the terminal as it was, if it was not left yet. May be called in the handler of a signal.
void snippet_terminal_guard_restore(void);

#endif
