#ifndef SNIPPET_START_ROOM_H
#define SNIPPET_START_ROOM_H

/// Tries what the system's libraries need to start, since they wait for ever or trap without it.
enum snippet_start_room {
  snippet_start_has_room = 0,
  /// No more threads can be made: of memory or processes there are too few.
  snippet_start_no_threads = 1,
  /// No more files can be opened.
  snippet_start_no_files = 2
};

/// Starts some threads and opens some files at the same time, and ends and closes them.
///
/// More than 64 of either count as 64.
enum snippet_start_room snippet_start_try(int thread_count, int file_count);

#endif
