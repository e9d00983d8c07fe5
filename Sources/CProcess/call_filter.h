#ifndef SNIPPET_CALL_FILTER_H
#define SNIPPET_CALL_FILTER_H

struct filter_library;

// Leaves this process, in all its threads and for good, only the system calls that decoding needs.
// Returns 0, or the number of the error.
//
// It is a list of allowed calls, since the kernel gains new ones every year. Any other call fails
// with EPERM and does no harm: a library that merely tried continues without it. Only calls in the
// numbering of another processor, which no honest library makes, end the process.
//
// Nothing can be opened from here on, so everything that decoding reads and loads must be open.
int call_filter_install(const struct filter_library *library);

#endif
