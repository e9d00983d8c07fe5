#pragma once

#include <stddef.h>
#include <stdint.h>

/// A row of a list as C would keep it: all that a cell shows, each text a copy of its own.
struct c_row {
  int64_t id, created_at, modified_at, byte_count, revision;
  /// -1 where there is none.
  int64_t pixel_width, pixel_height, duration_ms, blob_id, sample_rate, channel_count;
  int kind, is_pinned;
  uint8_t uuid[16];
  char *title, *preview, *media_type;
  /// Joined by commas; NULL without any.
  char *tags;
};

/// Steps a statement to its end and copies what it gives, up to a number of rows.
size_t c_rows_read(void *statement, struct c_row *rows, size_t capacity);

/// Frees the texts of rows.
void c_rows_free(struct c_row *rows, size_t count);
