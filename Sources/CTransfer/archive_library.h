#ifndef SNIPPET_ARCHIVE_LIBRARY_H
#define SNIPPET_ARCHIVE_LIBRARY_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

// The calls of libarchive.
//
// It is loaded when the first archive is imported. Including its headers would need them to build,
// so the calls are declared here, and a target of the tests compares the declarations with the
// headers.

struct archive;
struct archive_entry;

enum {
  // What the calls return.
  archive_library_end = 1,
  archive_library_ok = 0,
  archive_library_retry = -10,
  archive_library_warn = -20,
  archive_library_failed = -25,

  // Types of a member, as in the mode of a file.
  archive_library_type_mask = 0170000,
  archive_library_regular = 0100000,
  archive_library_folder = 0040000,

  // Codes of formats.
  archive_library_tar = 0x30000,
  archive_library_raw = 0x90000
};

// The type of the result, the name, the types of the arguments.
#define ARCHIVE_LIBRARY_CALLS(call)                                         \
  call(const char *, archive_version_details, (void))                       \
  call(struct archive *, archive_read_new, (void))                          \
  call(int, archive_read_support_filter_gzip, (struct archive *))           \
  call(int, archive_read_support_filter_bzip2, (struct archive *))          \
  call(int, archive_read_support_filter_xz, (struct archive *))             \
  call(int, archive_read_support_filter_zstd, (struct archive *))           \
  call(int, archive_read_support_format_tar, (struct archive *))            \
  call(int, archive_read_support_format_zip, (struct archive *))            \
  call(int, archive_read_set_format, (struct archive *, int))               \
  call(int, archive_read_open,                                              \
       (struct archive *, void *, int (*)(struct archive *, void *),        \
        ssize_t (*)(struct archive *, void *, const void **),               \
        int (*)(struct archive *, void *)))                                 \
  call(int, archive_read_open_fd, (struct archive *, int, size_t))          \
  call(int, archive_read_next_header, (struct archive *, struct archive_entry **)) \
  call(ssize_t, archive_read_data, (struct archive *, void *, size_t))      \
  call(int, archive_read_data_block,                                        \
       (struct archive *, const void **, size_t *, int64_t *))              \
  call(int, archive_read_data_skip, (struct archive *))                     \
  call(int64_t, archive_filter_bytes, (struct archive *, int))              \
  call(const char *, archive_error_string, (struct archive *))              \
  call(int, archive_read_free, (struct archive *))                          \
  call(const char *, archive_entry_pathname, (struct archive_entry *))      \
  call(const char *, archive_entry_pathname_utf8, (struct archive_entry *)) \
  call(const char *, archive_entry_hardlink, (struct archive_entry *))      \
  call(const char *, archive_entry_hardlink_utf8, (struct archive_entry *)) \
  call(mode_t, archive_entry_filetype, (struct archive_entry *))            \
  call(int, archive_entry_is_data_encrypted, (struct archive_entry *))      \
  call(int, archive_entry_mtime_is_set, (struct archive_entry *))           \
  call(time_t, archive_entry_mtime, (struct archive_entry *))               \
  call(long, archive_entry_mtime_nsec, (struct archive_entry *))

struct archive_library {
#define ARCHIVE_LIBRARY_MEMBER(type, name, arguments) type(*name) arguments;
  ARCHIVE_LIBRARY_CALLS(ARCHIVE_LIBRARY_MEMBER)
#undef ARCHIVE_LIBRARY_MEMBER
};

// Loads the library and finds its calls. 0 when all are there.
int archive_library_load(struct archive_library *library);

#endif
