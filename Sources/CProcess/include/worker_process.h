#ifndef SNIPPET_WORKER_PROCESS_H
#define SNIPPET_WORKER_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/// Starts and confines the processes that decode, in the system's own words, which differ between
/// systems more than Swift can hide.

/// Starts a program that has nothing of this process but one end of a socket, as its standard input.
///
/// Standard output and standard error are the null device; no other descriptor is passed on, no
/// signal is blocked or ignored, and of the environment only what the system's loader needs.
///
/// @param descriptor The other end of the socket, which no further program inherits.
/// @return 0, or the number of the error.
int snippet_worker_start(const char *path, char *const arguments[], int *descriptor,
                         int *process);

/// Kills a program that was started, and waits for it.
///
/// @return The number of the signal that ended it before; 0 when it ended by itself or was killed
/// only now.
int snippet_worker_end(int descriptor, int process);

/// Why the calls of the system are not filtered.
enum snippet_worker_filter {
  /// There is no such filter on this system.
  snippet_worker_no_filter = -1,
  /// The library that writes it is not there.
  snippet_worker_no_filter_library = -2
};

/// Gives up, in the program that was started, what decoding does not need: opening, writing and
/// leaving behind files, memory beyond some bytes more than now, rights to be gained by starting
/// other programs, and all calls of the system but few.
///
/// All but the last holds also where there is no filter of calls.
///
/// @return 0 when the calls are filtered; else a `snippet_worker_filter`, or the number of the error
/// with which the system refused the filter.
int snippet_worker_confine(uint64_t byte_count);

/// Has this process give way to those that draw what it decodes.
void snippet_worker_give_way(void);

/// Lets the system end this process if it goes on for so long, by time and by work.
///
/// @param seconds From now on; 0 takes the limit away.
void snippet_worker_limit_time(unsigned seconds);

/// Reads or writes all of some bytes.
///
/// @return 0; -1 when the other end is gone.
int snippet_worker_read(int descriptor, void *bytes, size_t count);
int snippet_worker_write(int descriptor, const void *bytes, size_t count);

/// Waits until there is something to read.
///
/// @return 1 when there is, also the end; 0 when there is not yet.
int snippet_worker_wait(int descriptor, int milliseconds);

#endif
