#include "archive_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "unpacking_libraries.h"

// A multiple of the blocks of tar, so that none of them lies in two.
enum { block_byte_count = 256 << 10, input_byte_count = 64 << 10, tar_block_byte_count = 512 };

struct archive_source {
  const struct archive_library *library;
  int descriptor;
  int64_t limit;
  /// The number of bytes of the file that were read, where no filter counts them.
  int64_t file_position;

  /// The block, its place in all bytes, and the part of it that was not returned yet.
  unsigned char *block;
  int64_t block_place;
  size_t block_count;
  size_t start;
  /// Whether zeros alone are left, fewer than a block of tar.
  int is_padded;
  /// Whether all was unpacked.
  int is_at_end;

  /// Whether gzip packed the file, which zlib unpacks.
  int is_gzip;
  /// Whether it is within a member; the file may have many.
  int is_within;
  int has_member;
  /// The bytes of its end to pass over.
  size_t rest_count;
  z_stream stream;
  /// The compressed bytes that were read.
  unsigned char *input;

  /// Whether xz, bzip2 or Zstandard packed the file, which their libraries unpack.
  int is_xz;
  int is_bzip2;
  int is_zstd;
  const struct unpacking_libraries *unpacking;
  struct xz_stream xz;
  struct bzip2_stream bzip2;
  void *zstd;
  struct zstd_input zstd_input;
  /// Whether the decoder of Zstandard may hold bytes that there was no room for.
  int has_more;

  /// The filters that unpack other formats, and bytes from them for the next block.
  struct archive *filter;
  const unsigned char *unpacked;
  size_t unpacked_count;

  enum snippet_archive_flaw flaw;
  char words[128];
};

static void end_with(struct archive_source *source, enum snippet_archive_flaw flaw,
                     const char *words) {
  source->is_at_end = 1;
  source->flaw = flaw;
  snprintf(source->words, sizeof source->words, "%s", words ? words : "");
}

static size_t read_file(struct archive_source *source, unsigned char *bytes, size_t count) {
  ssize_t result;
  do result = read(source->descriptor, bytes, count);
  while (result < 0 && errno == EINTR);
  if (result < 0) {
    end_with(source, snippet_archive_unreadable, strerror(errno));
    return 0;
  }
  source->file_position += result;
  return (size_t)result;
}

static size_t unpack_nothing(struct archive_source *source, unsigned char *bytes, size_t count) {
  size_t result = read_file(source, bytes, count);
  if (result == 0) source->is_at_end = 1;
  return result;
}

static size_t unpack_gzip(struct archive_source *source, unsigned char *bytes, size_t count) {
  z_stream *stream = &source->stream;
  stream->next_out = bytes;
  stream->avail_out = (uInt)count;
  while (stream->avail_out == count && !source->is_at_end) {
    if (stream->avail_in == 0) {
      stream->next_in = source->input;
      stream->avail_in = (uInt)read_file(source, source->input, input_byte_count);
      if (stream->avail_in == 0) {
        if (source->is_within && !source->is_at_end)
          end_with(source, snippet_archive_cut, NULL);
        source->is_at_end = 1;
        break;
      }
    }
    if (source->rest_count > 0) {
      size_t passed = source->rest_count < stream->avail_in ? source->rest_count : stream->avail_in;
      source->rest_count -= passed;
      stream->next_in += passed;
      stream->avail_in -= (uInt)passed;
      continue;
    }
    if (!source->is_within) {
      // Whatever stands behind the last member is not gzip's.
      if (*stream->next_in != 0x1F || inflateReset(stream) != Z_OK) {
        source->is_at_end = 1;
        break;
      }
      source->is_within = 1;
    }
    int status = inflate(stream, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      source->is_within = 0;
      source->has_member = 1;
    } else if (status == Z_DATA_ERROR && stream->msg && strstr(stream->msg, " check") &&
               !strstr(stream->msg, "header")) {
      source->flaw = snippet_archive_checksum;
      source->is_within = 0;
      source->has_member = 1;
      // Behind the checksum stands the length.
      source->rest_count = strstr(stream->msg, "length") ? 0 : 4;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      source->is_at_end = 1;
      if (!source->has_member || stream->total_out > 0)
        end_with(source, snippet_archive_damaged, stream->msg);
    }
  }
  return count - stream->avail_out;
}

static size_t unpack_xz(struct archive_source *source, unsigned char *bytes, size_t count) {
  struct xz_stream *stream = &source->xz;
  stream->next_out = bytes;
  stream->avail_out = count;
  while (stream->avail_out == count && !source->is_at_end) {
    if (stream->avail_in == 0) {
      stream->next_in = source->input;
      stream->avail_in = read_file(source, source->input, input_byte_count);
      if (source->is_at_end) break;  // It cannot be read.
    }
    int status =
        source->unpacking->lzma_code(stream, stream->avail_in == 0 ? xz_finish : xz_run);
    if (status == xz_stream_end) {
      source->is_at_end = 1;
    } else if (status == xz_buffer_error && stream->avail_in == 0) {
      end_with(source, snippet_archive_cut, NULL);
    } else if (status != xz_ok) {
      const char *words = status == xz_memory_limit ? "unpacking them takes over 1 GiB" : NULL;
      end_with(source, snippet_archive_damaged, words);
    }
  }
  return count - stream->avail_out;
}

static size_t unpack_bzip2(struct archive_source *source, unsigned char *bytes, size_t count) {
  const struct unpacking_libraries *unpacking = source->unpacking;
  struct bzip2_stream *stream = &source->bzip2;
  stream->next_out = (char *)bytes;
  stream->avail_out = (unsigned)count;
  while (stream->avail_out == count && !source->is_at_end) {
    if (stream->avail_in == 0) {
      stream->next_in = (char *)source->input;
      stream->avail_in = (unsigned)read_file(source, source->input, input_byte_count);
      if (source->is_at_end) break;  // It cannot be read.
    }
    int is_last = stream->avail_in == 0;
    if (!source->is_within) {
      // Whatever stands behind the last stream is not that of bzip2.
      if (is_last || *stream->next_in != 'B') {
        source->is_at_end = 1;
        break;
      }
      if (source->has_member) unpacking->BZ2_bzDecompressEnd(stream);
      source->has_member = 0;
      if (unpacking->BZ2_bzDecompressInit(stream, 0, 0) != bzip2_ok) {
        end_with(source, snippet_archive_damaged, NULL);
        break;
      }
      source->is_within = source->has_member = 1;
    }
    int status = unpacking->BZ2_bzDecompress(stream);
    if (status == bzip2_stream_end) {
      source->is_within = 0;
    } else if (status != bzip2_ok) {
      end_with(source, snippet_archive_damaged, NULL);
    } else if (is_last && stream->avail_out == count) {
      end_with(source, snippet_archive_cut, NULL);
    }
  }
  return count - stream->avail_out;
}

static size_t unpack_zstd(struct archive_source *source, unsigned char *bytes, size_t count) {
  const struct unpacking_libraries *unpacking = source->unpacking;
  struct zstd_input *input = &source->zstd_input;
  struct zstd_output output = {bytes, count, 0};
  while (output.place == 0 && !source->is_at_end) {
    if (input->place == input->count && !source->has_more) {
      input->bytes = source->input;
      input->count = read_file(source, source->input, input_byte_count);
      input->place = 0;
      if (source->is_at_end) break;  // It cannot be read.
      if (input->count == 0) {
        if (source->is_within) end_with(source, snippet_archive_cut, NULL);
        source->is_at_end = 1;
        break;
      }
    }
    size_t rest = unpacking->ZSTD_decompressStream(source->zstd, &output, input);
    if (unpacking->ZSTD_isError(rest)) {
      // Whatever stands behind the last frame is not that of Zstandard.
      if (source->is_within || !source->has_member)
        end_with(source, snippet_archive_damaged, NULL);
      source->is_at_end = 1;
      break;
    }
    source->is_within = rest != 0;
    if (rest == 0) source->has_member = 1;
    source->has_more = rest != 0 && output.place == count;
  }
  return output.place;
}

static size_t unpack_filtered(struct archive_source *source, unsigned char *bytes, size_t count) {
  while (source->unpacked_count == 0) {
    const void *unpacked = NULL;
    int64_t offset = 0;
    int status = source->library->archive_read_data_block(source->filter, &unpacked,
                                                          &source->unpacked_count, &offset);
    if (status == archive_library_end) {
      source->is_at_end = 1;
      return 0;
    }
    if (status < archive_library_warn) {
      source->unpacked_count = 0;
      end_with(source, snippet_archive_damaged,
               source->library->archive_error_string(source->filter));
      return 0;
    }
    source->unpacked = unpacked;
  }
  if (count > source->unpacked_count) count = source->unpacked_count;
  memcpy(bytes, source->unpacked, count);
  source->unpacked += count;
  source->unpacked_count -= count;
  return count;
}

static void fill(struct archive_source *source) {
  source->block_place += (int64_t)source->block_count;
  source->block_count = 0;
  source->start = 0;
  while (source->block_count < block_byte_count && !source->is_at_end) {
    unsigned char *bytes = source->block + source->block_count;
    size_t rest = block_byte_count - source->block_count;
    source->block_count += source->is_gzip    ? unpack_gzip(source, bytes, rest)
                           : source->is_xz    ? unpack_xz(source, bytes, rest)
                           : source->is_bzip2 ? unpack_bzip2(source, bytes, rest)
                           : source->is_zstd  ? unpack_zstd(source, bytes, rest)
                           : source->filter   ? unpack_filtered(source, bytes, rest)
                                              : unpack_nothing(source, bytes, rest);
    if (source->block_place + (int64_t)source->block_count > source->limit)
      end_with(source, snippet_archive_too_large, NULL);
  }
}

// Opens the decoder of the format with which a file begins. A library that is missing leaves the
// file to the filters.
static int open_decoder(struct archive_source *source, const unsigned char *head) {
  // As much as a stream may ask for in the filter of libarchive.
  const uint64_t memory_limit = (uint64_t)1 << 30;
  const struct unpacking_libraries *unpacking = source->unpacking = unpacking_libraries_get();
  if (memcmp(head, "\xFD" "7zXZ", 6) == 0 && unpacking->lzma_stream_decoder &&
      unpacking->lzma_code && unpacking->lzma_end) {
    source->is_xz =
        unpacking->lzma_stream_decoder(&source->xz, memory_limit, xz_concatenated) == xz_ok;
  } else if (memcmp(head, "BZh", 3) == 0 &&
             // Texts may begin with these letters.
             (memcmp(head + 4, "1AY&SY", 6) == 0 || memcmp(head + 4, "\x17rE8P\x90", 6) == 0) &&
             unpacking->BZ2_bzDecompressInit &&
             unpacking->BZ2_bzDecompress && unpacking->BZ2_bzDecompressEnd) {
    source->is_bzip2 = 1;
  } else if (memcmp(head, "\x28\xB5\x2F\xFD", 4) == 0 && unpacking->ZSTD_createDStream &&
             unpacking->ZSTD_decompressStream && unpacking->ZSTD_isError &&
             unpacking->ZSTD_freeDStream) {
    source->zstd = unpacking->ZSTD_createDStream();
    source->is_zstd = source->zstd != NULL;
  }
  if (!source->is_xz && !source->is_bzip2 && !source->is_zstd) return 0;
  source->input = malloc(input_byte_count);
  return source->input != NULL;
}

static int open_filter(struct archive_source *source) {
  const struct archive_library *library = source->library;
  source->filter = library->archive_read_new();
  if (!source->filter) return 0;
  // Each may be missing in a smaller build; then what it reads is no archive.
  library->archive_read_support_filter_bzip2(source->filter);
  library->archive_read_support_filter_xz(source->filter);
  library->archive_read_support_filter_zstd(source->filter);
  library->archive_read_set_format(source->filter, archive_library_raw);
  struct archive_entry *entry = NULL;
  if (library->archive_read_open_fd(source->filter, source->descriptor, block_byte_count) <
          archive_library_warn ||
      library->archive_read_next_header(source->filter, &entry) < archive_library_warn) {
    end_with(source, snippet_archive_damaged, library->archive_error_string(source->filter));
  }
  return 1;
}

struct archive_source *archive_source_open(const struct archive_library *library, int descriptor,
                                           int64_t limit) {
  struct archive_source *source = calloc(1, sizeof *source);
  if (!source) return NULL;
  source->library = library;
  source->descriptor = descriptor;
  source->limit = limit;
  source->block = malloc(block_byte_count);
  // A former reader has left its place there.
  lseek(descriptor, 0, SEEK_SET);
  unsigned char head[262] = {0};
  ssize_t count = pread(descriptor, head, sizeof head, 0);
  int is_fine = source->block != NULL;
  if (count > 2 && head[0] == 0x1F && head[1] == 0x8B) {
    source->input = malloc(input_byte_count);
    source->is_gzip = source->input && inflateInit2(&source->stream, 15 + 16) == Z_OK;
    is_fine = is_fine && source->is_gzip;
  } else if (memcmp(head + 257, "ustar", 5) != 0 && !open_decoder(source, head)) {
    is_fine = is_fine && open_filter(source);
  }
  if (is_fine) return source;
  archive_source_close(source);
  return NULL;
}

ssize_t archive_source_read(struct archive_source *source, const void **bytes) {
  if (source->start == source->block_count) fill(source);
  *bytes = source->block + source->start;
  size_t count = source->block_count - source->start;
  source->start = source->block_count;
  return (ssize_t)count;
}

static int is_zero(const unsigned char *bytes, size_t count) {
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

int64_t archive_source_move(struct archive_source *source, int64_t place) {
  int64_t end = source->block_place + (int64_t)source->block_count;
  if (place < source->block_place || place > end) return -1;
  source->start = (size_t)(place - source->block_place);
  while (1) {
    if (source->start == source->block_count) fill(source);
    size_t count = source->block_count - source->start;
    const unsigned char *bytes = source->block + source->start;
    source->is_padded = count > 0 && count < tar_block_byte_count && is_zero(bytes, count);
    if (count < tar_block_byte_count || !is_zero(bytes, tar_block_byte_count)) break;
    source->start += tar_block_byte_count;
  }
  return source->block_place + (int64_t)source->start;
}

int archive_source_is_at_end(struct archive_source *source) {
  if (source->start == source->block_count) fill(source);
  return source->block_count == source->start;
}

int64_t archive_source_end(const struct archive_source *source) {
  if (!source->is_at_end || source->is_padded) return -1;
  return source->block_place + (int64_t)source->block_count;
}

int archive_source_begins_tar(struct archive_source *source) {
  if (source->block_count == 0) fill(source);
  return source->block_count >= tar_block_byte_count &&
         memcmp(source->block + 257, "ustar", 5) == 0;
}

int64_t archive_source_file_position(const struct archive_source *source) {
  return source->filter ? source->library->archive_filter_bytes(source->filter, -1)
                        : source->file_position;
}

enum snippet_archive_flaw archive_source_flaw(const struct archive_source *source,
                                              const char **words) {
  *words = source->words;
  return source->flaw;
}

void archive_source_close(struct archive_source *source) {
  if (source->is_gzip) inflateEnd(&source->stream);
  if (source->is_xz) source->unpacking->lzma_end(&source->xz);
  if (source->is_bzip2 && source->has_member)
    source->unpacking->BZ2_bzDecompressEnd(&source->bzip2);
  if (source->zstd) source->unpacking->ZSTD_freeDStream(source->zstd);
  if (source->filter) source->library->archive_read_free(source->filter);
  free(source->input);
  free(source->block);
  free(source);
}
