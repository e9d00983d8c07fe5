#ifndef SNIPPET_ARCHIVE_READING_H
#define SNIPPET_ARCHIVE_READING_H

#include <stddef.h>
#include <stdint.h>

// The members of ZIP and tar archives by libarchive, one after the other.

/// Returns the name and version of libarchive and of what it uses; NULL if it cannot be loaded.
const char *snippet_archive_version(void);

/// Why the bytes of a file end before all were unpacked.
enum snippet_archive_flaw {
  snippet_archive_flawless,
  snippet_archive_cut,
  snippet_archive_checksum,
  snippet_archive_damaged,
  snippet_archive_unreadable,
  snippet_archive_too_large
};

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
  /// Words about a flaw of its head, which may give it another name or date; NULL if it has none.
  const char *warning;
  /// Whether the date of the last change is known.
  int has_date;
  int64_t seconds;
  int64_t nanoseconds;
};

/// Begins to read an open file from its start; NULL if there is no library, no memory or no such
/// archive.
///
/// The file stays open afterwards. One that is not a ZIP archive ends, as with a flaw, after a
/// number of unpacked bytes. If `message` is not NULL, it receives the reason; `flaw` receives the
/// flaw of the bytes.
void *snippet_archive_open(int descriptor, int64_t limit, char *message, size_t message_byte_count,
                           enum snippet_archive_flaw *flaw);

/// Reads the head of the next member; 1 if there is one, 0 at the end, 2 behind a block that stands
/// where a head should and is none, -1 if the archive is damaged there.
int snippet_archive_next(void *archive, struct snippet_archive_member *member);

/// Passes over what was not read of the member.
void snippet_archive_skip(void *archive);

/// Begins anew in a tar archive behind what was read and the zeros there, after an end or damage;
/// returns whether something stands there.
int snippet_archive_go_on(void *archive);

/// Reads bytes of the member; 0 at its end, -1 if the member is damaged, -2 if nothing can be read
/// behind it either.
int64_t snippet_archive_read(void *archive, void *bytes, size_t byte_count);

/// Returns the number of bytes that are left of a tar archive; 0 if its end was not reached yet.
int64_t snippet_archive_rest(void *archive);

/// Returns the number of bytes that were read: those of the file, or what was unpacked of them.
int64_t snippet_archive_position(void *archive, int is_unpacked);

/// Returns the flaw of the bytes of the file that was met so far, and words of a library about it.
enum snippet_archive_flaw snippet_archive_flaw_of(void *archive, const char **words);

/// Returns the reason of the last failure.
const char *snippet_archive_message(void *archive);

/// Ends reading.
void snippet_archive_close(void *archive);

#endif
