#ifndef SNIPPET_FORBIDDEN_CALLS_H
#define SNIPPET_FORBIDDEN_CALLS_H

/// What a decoder that was taken over would try, each as one call of the system.

/// How many there are; 0 where the system has no filter against them.
int snippet_forbidden_call_count(void);

/// What a call is, in words.
const char *snippet_forbidden_call_name(int number);

/// Whether the system itself allows it to few, filter or not.
int snippet_forbidden_call_needs_rights(int number);

/// Makes the call.
///
/// @return The number of its error; 0 when it was done.
int snippet_forbidden_call_error(int number);

/// Makes the call in a process of its own, which it may ruin.
///
/// @return The number of its error; 0 when it was done; -1 when there was no such process.
int snippet_forbidden_call_error_apart(int number);

#endif
