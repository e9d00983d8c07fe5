#include "page_reads.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

// The file system that SQLite has, but for the reading of database files. Of each open file only the
// table of its methods is another one.

typedef struct {
  sqlite3_io_methods methods; // first, so that a file's table leads here
  const sqlite3_io_methods *original;
} CountingMethods;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sqlite3_vfs counting;
static sqlite3_vfs *original;
static CountingMethods tables[8];
static int table_count;

static char *watched;
static unsigned int page_size;
static unsigned int *counts;
static unsigned int room;

static void count(sqlite3_int64 offset, sqlite3_int64 byte_count) {
  if (byte_count <= 0) return;
  pthread_mutex_lock(&lock);
  unsigned int first = (unsigned int)(offset / page_size) + 1;
  unsigned int end = (unsigned int)((offset + byte_count - 1) / page_size) + 1;
  if (end >= room) {
    unsigned int wanted = end + end / 2 + 1024;
    unsigned int *more = realloc(counts, wanted * sizeof *counts);
    if (more == NULL) abort();
    memset(more + room, 0, (wanted - room) * sizeof *more);
    counts = more;
    room = wanted;
  }
  for (unsigned int page = first; page <= end; page++) counts[page]++;
  pthread_mutex_unlock(&lock);
}

static const sqlite3_io_methods *methods_of(sqlite3_file *file) {
  return ((const CountingMethods *)file->pMethods)->original;
}

static int counting_read(sqlite3_file *file, void *buffer, int amount, sqlite3_int64 offset) {
  count(offset, amount);
  return methods_of(file)->xRead(file, buffer, amount, offset);
}

static int counting_fetch(sqlite3_file *file, sqlite3_int64 offset, int amount, void **memory) {
  int result = methods_of(file)->xFetch(file, offset, amount, memory);
  if (result == SQLITE_OK && *memory != NULL) count(offset, amount);
  return result;
}

static const sqlite3_io_methods *counting_methods(const sqlite3_io_methods *methods) {
  const sqlite3_io_methods *found = NULL;
  pthread_mutex_lock(&lock);
  for (int index = 0; index < table_count; index++) {
    if (tables[index].original == methods) found = &tables[index].methods;
  }
  if (found == NULL && table_count < (int)(sizeof tables / sizeof *tables)) {
    CountingMethods *table = &tables[table_count++];
    table->methods = *methods;
    table->original = methods;
    table->methods.xRead = counting_read;
    if (methods->iVersion >= 3 && methods->xFetch != NULL) table->methods.xFetch = counting_fetch;
    found = &table->methods;
  }
  pthread_mutex_unlock(&lock);
  if (found == NULL) abort();
  return found;
}

static int counting_open(
  sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out_flags
) {
  int result = original->xOpen(vfs, path, file, flags, out_flags);
  if (result != SQLITE_OK || !(flags & SQLITE_OPEN_MAIN_DB) || path == NULL) return result;
  pthread_mutex_lock(&lock);
  int is_watched = watched != NULL && strcmp(path, watched) == 0;
  pthread_mutex_unlock(&lock);
  if (is_watched) file->pMethods = counting_methods(file->pMethods);
  return result;
}

int snippet_page_reads_watch(const char *path, unsigned int size) {
  int result = sqlite3_initialize();
  if (result != SQLITE_OK) return result;
  char *copy = strdup(path);
  if (copy == NULL) return SQLITE_NOMEM;
  pthread_mutex_lock(&lock);
  if (original == NULL) {
    original = sqlite3_vfs_find(NULL);
    counting = *original;
    counting.zName = "snippet-page-reads";
    counting.pNext = NULL;
    counting.xOpen = counting_open;
  }
  free(watched);
  watched = copy;
  page_size = size;
  pthread_mutex_unlock(&lock);
  snippet_page_reads_reset();
  return sqlite3_vfs_register(&counting, 1);
}

unsigned int snippet_page_reads_of(unsigned int page) {
  pthread_mutex_lock(&lock);
  unsigned int result = page < room ? counts[page] : 0;
  pthread_mutex_unlock(&lock);
  return result;
}

void snippet_page_reads_reset(void) {
  pthread_mutex_lock(&lock);
  if (counts != NULL) memset(counts, 0, room * sizeof *counts);
  pthread_mutex_unlock(&lock);
}
