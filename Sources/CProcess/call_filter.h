#ifndef SNIPPET_CALL_FILTER_H
#define SNIPPET_CALL_FILTER_H

struct filter_library;

// Leaves this process, in all its threads and for good, the calls of the system that decoding
// needs. 0, or the number of the error.
//
// It is a list of what is allowed, since the kernel gains calls with every year. What is not on it
// fails with EPERM and harms nobody: a library that merely tried goes on without. Only calls of
// another processor's numbering, which no honest library makes, end the process.
//
// Nothing is opened from here on, so all that decoding reads and loads must have been.
int call_filter_install(const struct filter_library *library);

#endif
