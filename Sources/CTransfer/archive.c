#include "include/archive_reading.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include "archive_library.h"

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

void *snippet_archive_open(int descriptor, int is_joined, char *message,
                           size_t message_byte_count) {
  if (!is_loaded()) return NULL;
  struct archive *archive = library.archive_read_new();
  if (!archive) return NULL;
  locale_t former = enter();
  // Each may be missing in a smaller build; then what it reads is no archive.
  library.archive_read_support_filter_gzip(archive);
  library.archive_read_support_filter_bzip2(archive);
  library.archive_read_support_filter_xz(archive);
  library.archive_read_support_filter_zstd(archive);
  library.archive_read_support_format_tar(archive);
  library.archive_read_support_format_zip(archive);
  if (is_joined) {
    library.archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1");
  }
  // A former reader has left its place there.
  lseek(descriptor, 0, SEEK_SET);
  int status = library.archive_read_open_fd(archive, descriptor, block_byte_count);
  if (status < archive_library_warn) {
    const char *reason = library.archive_error_string(archive);
    if (message) snprintf(message, message_byte_count, "%s", reason ? reason : "");
    library.archive_read_free(archive);
    archive = NULL;
  }
  leave(former);
  return archive;
}

static int next_header(struct archive *archive, struct archive_entry **entry) {
  // Each retry has moved on by some bytes, and a real archive needs few.
  for (int attempt = 0; attempt < 64; attempt++) {
    int status = library.archive_read_next_header(archive, entry);
    if (status != archive_library_retry) return status;
  }
  return archive_library_failed;
}

int snippet_archive_next(void *archive, struct snippet_archive_member *member) {
  *member = (struct snippet_archive_member){0};
  struct archive_entry *entry = NULL;
  locale_t former = enter();
  int status = next_header(archive, &entry);
  int result = status == archive_library_end ? 0 : status < archive_library_warn || !entry ? -1 : 1;
  if (result == 1) {
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

int64_t snippet_archive_read(void *archive, void *bytes, size_t byte_count) {
  locale_t former = enter();
  ssize_t count = archive_library_retry;
  for (int attempt = 0; attempt < 64 && count == archive_library_retry; attempt++)
    count = library.archive_read_data(archive, bytes, byte_count);
  leave(former);
  if (count >= 0) return count;
  return count >= archive_library_failed ? -1 : -2;
}

int64_t snippet_archive_position(void *archive, int is_unpacked) {
  return library.archive_filter_bytes(archive, is_unpacked ? 0 : -1);
}

const char *snippet_archive_message(void *archive) {
  const char *message = library.archive_error_string(archive);
  return message ? message : "";
}

void snippet_archive_close(void *archive) { library.archive_read_free(archive); }
