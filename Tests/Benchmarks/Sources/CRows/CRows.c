#include "CRows.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

static char *copied_text(sqlite3_stmt *statement, int column) {
  const unsigned char *text = sqlite3_column_text(statement, column);
  if (text == NULL) return NULL;
  size_t size = (size_t)sqlite3_column_bytes(statement, column) + 1;
  char *copy = malloc(size);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}

static int64_t number_or_none(sqlite3_stmt *statement, int column) {
  return sqlite3_column_type(statement, column) == SQLITE_NULL
    ? -1 : sqlite3_column_int64(statement, column);
}

size_t c_rows_read(void *opaque, struct c_row *rows, size_t capacity) {
  sqlite3_stmt *statement = opaque;
  size_t count = 0;
  while (count < capacity && sqlite3_step(statement) == SQLITE_ROW) {
    struct c_row *row = &rows[count++];
    row->id = sqlite3_column_int64(statement, 0);
    const void *uuid = sqlite3_column_blob(statement, 1);
    if (uuid != NULL && sqlite3_column_bytes(statement, 1) == 16) memcpy(row->uuid, uuid, 16);
    row->kind = sqlite3_column_int(statement, 2);
    row->title = copied_text(statement, 3);
    row->preview = copied_text(statement, 4);
    row->created_at = sqlite3_column_int64(statement, 5);
    row->modified_at = sqlite3_column_int64(statement, 6);
    row->is_pinned = sqlite3_column_int(statement, 7);
    row->byte_count = sqlite3_column_int64(statement, 8);
    row->media_type = copied_text(statement, 9);
    row->pixel_width = number_or_none(statement, 10);
    row->pixel_height = number_or_none(statement, 11);
    row->duration_ms = number_or_none(statement, 12);
    row->revision = sqlite3_column_int64(statement, 13);
    row->blob_id = number_or_none(statement, 14);
    row->sample_rate = number_or_none(statement, 15);
    row->channel_count = number_or_none(statement, 16);
    row->tags = copied_text(statement, 17);
  }
  sqlite3_reset(statement);
  return count;
}

void c_rows_free(struct c_row *rows, size_t count) {
  for (size_t index = 0; index < count; index++) {
    free(rows[index].title);
    free(rows[index].preview);
    free(rows[index].media_type);
    free(rows[index].tags);
  }
}
