#ifndef SNIPPET_ARCHIVE_SOURCE_H
#define SNIPPET_ARCHIVE_SOURCE_H

#include <stdint.h>
#include <sys/types.h>

#include "archive_library.h"
#include "include/archive_reading.h"

// The bytes of a tar archive, unpacked from gzip, bzip2, xz or Zstandard, in blocks.
//
// The filters of libarchive throw away what stands before a cut, up to 64 KiB, and that of gzip
// compares no checksum. So this unpacks with the libraries that they use, and ends where these
// fail, with the reason. The filters take what has no such library.
struct archive_source;

/// Begins with an open file from its start; NULL if there is no memory.
///
/// It ends, as with a flaw, after a number of bytes.
struct archive_source *archive_source_open(const struct archive_library *library, int descriptor,
                                           int64_t limit);

/// Returns the next bytes, which stay valid until the next call; 0 at the end.
///
/// All calls but the last return as many, a multiple of the blocks of tar.
ssize_t archive_source_read(struct archive_source *source, const void **bytes);

/// Moves back to a place within the bytes that the last call returned, and from there behind zeros
/// in whole blocks of tar.
///
/// Returns the new place; -1 if the old one is not there any more.
int64_t archive_source_move(struct archive_source *source, int64_t place);

/// Whether no byte is left.
int archive_source_is_at_end(struct archive_source *source);

/// Returns the place of the end; -1 if it was not reached yet, or if zeros alone fill the part of a
/// block before it.
int64_t archive_source_end(const struct archive_source *source);

/// Whether the first block is one of a tar archive.
int archive_source_begins_tar(struct archive_source *source);

/// Returns the number of bytes of the file that were read.
int64_t archive_source_file_position(const struct archive_source *source);

/// Returns why it ended early, and the words of a library for that.
enum snippet_archive_flaw archive_source_flaw(const struct archive_source *source,
                                              const char **words);

void archive_source_close(struct archive_source *source);

#endif
