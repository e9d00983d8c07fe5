#ifndef SNIPPET_ARCHIVE_READING_H
#define SNIPPET_ARCHIVE_READING_H

#include <stddef.h>
#include <stdint.h>

// The members of ZIP and tar archives by libarchive, one after the other.

/// Returns the name and version of libarchive and of what it uses; NULL if it cannot be loaded.
const char *snippet_archive_version(void);

enum snippet_archive_kind {
  snippet_archive_file,
  snippet_archive_folder,
  /// Another name of a file.
  snippet_archive_hard_link,
  /// A link, a device or something else without content of its own.
  snippet_archive_other
};

/// A member. Its names are valid until the next one is read, and NULL if it has none.
struct snippet_archive_member {
  /// In UTF-8, or in the unknown encoding of a program that did not tell it.
  const char *name;
  /// The name of the file that a hard link is another name of; NULL for others.
  const char *original_name;
  enum snippet_archive_kind kind;
  int is_encrypted;
  /// Whether the date of the last change is known.
  int has_date;
  int64_t seconds;
  int64_t nanoseconds;
};

/// Begins to read an open file from its start; NULL if there is no library, no memory or no such
/// archive.
///
/// The file stays open afterwards. If `is_joined` is not 0, a tar archive goes on behind its end
/// with the members of the next one. If `message` is not NULL, it receives the reason.
void *snippet_archive_open(int descriptor, int is_joined, char *message,
                           size_t message_byte_count);

/// Reads the head of the next member; 1 if there is one, 0 at the end, -1 if the archive is damaged
/// there.
int snippet_archive_next(void *archive, struct snippet_archive_member *member);

/// Reads bytes of the member; 0 at its end, -1 if the member is damaged, -2 if nothing can be read
/// behind it either.
int64_t snippet_archive_read(void *archive, void *bytes, size_t byte_count);

/// Returns the number of bytes that were read: those of the file, or what was unpacked of them.
int64_t snippet_archive_position(void *archive, int is_unpacked);

/// Returns the reason of the last failure.
const char *snippet_archive_message(void *archive);

/// Ends reading.
void snippet_archive_close(void *archive);

#endif
