#ifndef SNIPPET_UNPACKING_LIBRARIES_H
#define SNIPPET_UNPACKING_LIBRARIES_H

#include <stddef.h>
#include <stdint.h>

// The calls of liblzma, libbz2 and libzstd that unpack.
//
// The filters of libarchive throw away what they have unpacked before a cut, which may be all of a
// small archive. libarchive itself uses these libraries, so each is there wherever that reads its
// format.

enum {
  // What the calls of liblzma return.
  xz_ok = 0,
  xz_stream_end = 1,
  xz_memory_limit = 6,
  xz_buffer_error = 10,

  // The actions.
  xz_run = 0,
  xz_finish = 3,

  // A flag: files may stand behind each other.
  xz_concatenated = 8,

  // What the calls of libbz2 return.
  bzip2_ok = 0,
  bzip2_stream_end = 4
};

/// The state of a decoder of xz; all zero before its first use.
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

/// The state of a decoder of bzip2; all zero before its first use.
struct bzip2_stream {
  char *next_in;
  unsigned avail_in;
  unsigned total_in[2];
  char *next_out;
  unsigned avail_out;
  unsigned total_out[2];
  void *state;
  void *allocator;
  void *deallocator;
  void *opaque;
};

/// A place in bytes to read.
struct zstd_input {
  const void *bytes;
  size_t count;
  size_t place;
};

/// A place in bytes to write.
struct zstd_output {
  void *bytes;
  size_t count;
  size_t place;
};

/// The calls; those of a library that is missing are NULL.
struct unpacking_libraries {
  int (*lzma_stream_decoder)(struct xz_stream *, uint64_t, uint32_t);
  int (*lzma_code)(struct xz_stream *, int);
  void (*lzma_end)(struct xz_stream *);
  int (*BZ2_bzDecompressInit)(struct bzip2_stream *, int, int);
  int (*BZ2_bzDecompress)(struct bzip2_stream *);
  int (*BZ2_bzDecompressEnd)(struct bzip2_stream *);
  void *(*ZSTD_createDStream)(void);
  size_t (*ZSTD_decompressStream)(void *, struct zstd_output *, struct zstd_input *);
  unsigned (*ZSTD_isError)(size_t);
  size_t (*ZSTD_freeDStream)(void *);
};

/// Returns the libraries, loaded when they are first asked for.
const struct unpacking_libraries *unpacking_libraries_get(void);

#endif
