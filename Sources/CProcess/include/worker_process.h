#ifndef SNIPPET_WORKER_PROCESS_H
#define SNIPPET_WORKER_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/// Starts and confines the decoding processes with the system's own calls, which differ between
/// systems more than Swift can hide.

/// Starts a program that shares nothing with this process but a socket, as its standard input.
///
/// Standard output and standard error are the null device. No other descriptor is passed on, no
/// signal is blocked or ignored, and the environment only has what the system's loader needs.
///
/// @param descriptor Receives the other end of the socket, which no later program inherits.
/// @return 0, or the number of the error.
int snippet_worker_start(const char *path, char *const arguments[], int *descriptor,
                         int *process);

/// Kills a started program, and waits for it.
///
/// @return The number of the signal that had ended it before; 0 when it ended by itself or was
/// killed only now.
int snippet_worker_end(int descriptor, int process);

/// The reasons why system calls are not filtered.
enum snippet_worker_filter {
  /// This system has no such filter.
  snippet_worker_no_filter = -1,
  /// The library that writes the filter is missing.
  snippet_worker_no_filter_library = -2
};

/// Gives up, in the started program, everything that decoding does not need: opening, writing and
/// leaving behind files, memory beyond some bytes more than now, rights to be gained by starting
/// other programs, and all but a few system calls.
///
/// Everything but the last also holds where there is no filter of calls.
///
/// @return 0 when the calls are filtered; otherwise a `snippet_worker_filter`, or the number of the
/// error with which the system refused the filter.
int snippet_worker_confine(uint64_t byte_count);

/// Gives this process a lower priority than those that draw its results.
void snippet_worker_give_way(void);

/// Lets the system end this process after a time, both elapsed and of the processor.
///
/// @param seconds The time from now on; 0 removes the limit.
void snippet_worker_limit_time(unsigned seconds);

/// The reasons why a buffer was not read or written.
enum snippet_worker_failure {
  /// The other end is gone.
  snippet_worker_gone = -1,
  /// The time is over.
  snippet_worker_late = -2
};

/// Reads or writes a whole buffer.
///
/// @param milliseconds The longest time for all of it, however it is split; -1 for no limit.
/// @return 0, or a `snippet_worker_failure`.
int snippet_worker_read(int descriptor, void *bytes, size_t count, int64_t milliseconds);
int snippet_worker_write(int descriptor, const void *bytes, size_t count, int64_t milliseconds);

/// Waits until there is something to read.
///
/// @return 1 when there is, including the end; 0 when there is not yet.
int snippet_worker_wait(int descriptor, int milliseconds);

#endif
