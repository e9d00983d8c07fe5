#ifndef SNIPPET_XZ_LIBRARY_H
#define SNIPPET_XZ_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

// The calls of liblzma that unpack xz.
//
// The filter of libarchive throws away what it has unpacked before a cut, which may be all of a
// small archive. libarchive itself uses liblzma, so this is there wherever that reads xz.

enum {
  // What the calls return.
  xz_ok = 0,
  xz_stream_end = 1,
  xz_memory_limit = 6,
  xz_buffer_error = 10,

  // The actions.
  xz_run = 0,
  xz_finish = 3,

  // A flag: files may stand behind each other.
  xz_concatenated = 8
};

/// The state of a decoder; all zero before its first use.
struct xz_stream {
  const uint8_t *next_in;
  size_t avail_in;
  uint64_t total_in;
  uint8_t *next_out;
  size_t avail_out;
  uint64_t total_out;
  const void *allocator;
  void *internal;
  void *reserved_pointers[4];
  uint64_t reserved_numbers[2];
  size_t reserved_sizes[2];
  int reserved_values[2];
};

struct xz_library {
  int (*lzma_stream_decoder)(struct xz_stream *, uint64_t, uint32_t);
  int (*lzma_code)(struct xz_stream *, int);
  void (*lzma_end)(struct xz_stream *);
};

/// Returns the library, loaded when it is first asked for; NULL if it is missing.
const struct xz_library *xz_library_get(void);

#endif
