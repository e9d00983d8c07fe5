#include "include/archive_reading.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "archive_library.h"
#include "archive_source.h"

static struct archive_library library;
static int load_status = -1;
static locale_t unicode;
// The library makes this text anew at each call, in one place for all threads.
static const char *version;

static void load(void) {
  unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (!unicode) unicode = newlocale(LC_CTYPE_MASK, "en_US.UTF-8", (locale_t)0);
  load_status = archive_library_load(&library);
  if (load_status == 0) version = library.archive_version_details();
}

static int is_loaded(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return load_status == 0;
}

// libarchive converts names into the encoding of the thread's locale, and drops those that have no
// place there. A program that never sets its locale has plain ASCII.
static locale_t enter(void) { return unicode ? uselocale(unicode) : (locale_t)0; }

static void leave(locale_t former) {
  if (former) uselocale(former);
}

const char *snippet_archive_version(void) {
  return is_loaded() ? version : NULL;
}

static const size_t block_byte_count = 256 << 10;

struct reader {
  struct archive *archive;
  /// The bytes that it reads; NULL for a ZIP archive, in which libarchive seeks by itself.
  struct archive_source *source;
  /// Whether the bytes of the source are a tar archive.
  int is_tar;
  /// The place in the source at which it began.
  int64_t start;
};

static ssize_t read_source(struct archive *archive, void *source, const void **bytes) {
  (void)archive;
  return archive_source_read(source, bytes);
}

static int open_archive(struct reader *reader, int descriptor) {
  struct archive *archive = reader->archive = library.archive_read_new();
  if (!archive) return archive_library_failed;
  if (reader->is_tar) {
    // Otherwise it asks for a whole head at the start.
    library.archive_read_set_format(archive, archive_library_tar);
  } else {
    // Each may be missing in a smaller build; then what it reads is no archive.
    library.archive_read_support_filter_gzip(archive);
    library.archive_read_support_filter_bzip2(archive);
    library.archive_read_support_filter_xz(archive);
    library.archive_read_support_filter_zstd(archive);
    library.archive_read_support_format_tar(archive);
    library.archive_read_support_format_zip(archive);
  }
  if (!reader->source) return library.archive_read_open_fd(archive, descriptor, block_byte_count);
  return library.archive_read_open(archive, reader->source, NULL, read_source, NULL);
}

static int begins_zip(int descriptor) {
  // A name in a tar archive may begin with the letters alone.
  unsigned char head[4] = {0};
  if (pread(descriptor, head, sizeof head, 0) != sizeof head || memcmp(head, "PK", 2) != 0)
    return 0;
  return (head[2] == 3 && head[3] == 4) || (head[2] == 5 && head[3] == 6);
}

void *snippet_archive_open(int descriptor, int64_t limit, char *message, size_t message_byte_count,
                           enum snippet_archive_flaw *flaw) {
  *flaw = snippet_archive_flawless;
  if (!is_loaded()) return NULL;
  struct reader *reader = calloc(1, sizeof *reader);
  if (!reader) return NULL;
  locale_t former = enter();
  int status = archive_library_failed;
  if (begins_zip(descriptor)) {
    lseek(descriptor, 0, SEEK_SET);  // A former reader has left its place there.
    status = open_archive(reader, descriptor);
  } else if ((reader->source = archive_source_open(&library, descriptor, limit))) {
    reader->is_tar = archive_source_begins_tar(reader->source);
    status = open_archive(reader, descriptor);
  }
  if (status < archive_library_warn) {
    const char *reason = reader->archive ? library.archive_error_string(reader->archive) : NULL;
    if (reader->source) {
      const char *words;
      *flaw = archive_source_flaw(reader->source, &words);
      if (*flaw) reason = words;
    }
    if (message) snprintf(message, message_byte_count, "%s", reason ? reason : "");
    snippet_archive_close(reader);
    reader = NULL;
  }
  leave(former);
  return reader;
}

// Returns words about a flaw of a head. A name without a known encoding is none.
static const char *warning(struct archive *archive) {
  const char *words = library.archive_error_string(archive);
  return words && !strstr(words, "be converted") ? words : NULL;
}

int snippet_archive_next(void *reader, struct snippet_archive_member *member) {
  *member = (struct snippet_archive_member){0};
  struct archive *archive = ((struct reader *)reader)->archive;
  if (!archive) return -1;
  struct archive_entry *entry = NULL;
  locale_t former = enter();
  int status = library.archive_read_next_header(archive, &entry);
  int result = status == archive_library_end     ? 0
               : status == archive_library_retry ? 2
               : status < archive_library_warn   ? -1
                                                 : 1;
  if (result == 1 && !entry) result = -1;
  if (result == 1) {
    if (status == archive_library_warn) member->warning = warning(archive);
    member->name = library.archive_entry_pathname_utf8(entry);
    // Without a known encoding there are only the bytes.
    if (!member->name) member->name = library.archive_entry_pathname(entry);
    member->original_name = library.archive_entry_hardlink_utf8(entry);
    if (!member->original_name) member->original_name = library.archive_entry_hardlink(entry);
    mode_t type = library.archive_entry_filetype(entry) & archive_library_type_mask;
    if (member->original_name)
      member->kind = snippet_archive_hard_link;
    else if (type == archive_library_regular)
      member->kind = snippet_archive_file;
    else
      member->kind =
          type == archive_library_folder ? snippet_archive_folder : snippet_archive_other;
    member->is_encrypted = library.archive_entry_is_data_encrypted(entry) == 1;
    member->has_date = library.archive_entry_mtime_is_set(entry) != 0;
    member->seconds = library.archive_entry_mtime(entry);
    member->nanoseconds = library.archive_entry_mtime_nsec(entry);
  }
  leave(former);
  return result;
}

void snippet_archive_skip(void *reader) {
  struct archive *archive = ((struct reader *)reader)->archive;
  // A failure comes again when the next head is read.
  if (archive) library.archive_read_data_skip(archive);
}

int snippet_archive_go_on(void *handle) {
  struct reader *reader = handle;
  if (!reader->is_tar || !reader->archive) return 0;
  int64_t place = archive_source_move(reader->source, snippet_archive_position(reader, 1));
  if (place < 0 || archive_source_is_at_end(reader->source)) return 0;
  library.archive_read_free(reader->archive);
  reader->start = place;
  locale_t former = enter();
  int status = open_archive(reader, -1);
  leave(former);
  return status >= archive_library_warn;
}

int64_t snippet_archive_rest(void *handle) {
  struct reader *reader = handle;
  int64_t end = reader->is_tar ? archive_source_end(reader->source) : -1;
  return end < 0 ? 0 : end - snippet_archive_position(reader, 1);
}

int64_t snippet_archive_read(void *reader, void *bytes, size_t byte_count) {
  struct archive *archive = ((struct reader *)reader)->archive;
  locale_t former = enter();
  ssize_t count = archive_library_retry;
  for (int attempt = 0; attempt < 64 && count == archive_library_retry; attempt++)
    count = library.archive_read_data(archive, bytes, byte_count);
  leave(former);
  if (count >= 0) return count;
  return count >= archive_library_failed ? -1 : -2;
}

int64_t snippet_archive_position(void *handle, int is_unpacked) {
  struct reader *reader = handle;
  if (!reader->archive) return reader->start;
  if (is_unpacked) return reader->start + library.archive_filter_bytes(reader->archive, 0);
  return reader->source ? archive_source_file_position(reader->source)
                        : library.archive_filter_bytes(reader->archive, -1);
}

enum snippet_archive_flaw snippet_archive_flaw_of(void *handle, const char **words) {
  struct reader *reader = handle;
  *words = "";
  return reader->source ? archive_source_flaw(reader->source, words) : snippet_archive_flawless;
}

const char *snippet_archive_message(void *reader) {
  struct archive *archive = ((struct reader *)reader)->archive;
  const char *message = archive ? library.archive_error_string(archive) : NULL;
  return message ? message : "";
}

void snippet_archive_close(void *handle) {
  struct reader *reader = handle;
  if (reader->archive) library.archive_read_free(reader->archive);
  if (reader->source) archive_source_close(reader->source);
  free(reader);
}
