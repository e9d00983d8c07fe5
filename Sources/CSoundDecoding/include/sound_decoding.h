#ifndef SNIPPET_SOUND_DECODING_H
#define SNIPPET_SOUND_DECODING_H

#include <stddef.h>
#include <stdint.h>

/// Finds the peaks of recordings with libsndfile, in constant memory. Without the library every
/// call answers `snippet_sound_no_library`.

enum snippet_sound_status {
  snippet_sound_done = 0,
  /// The library is not built in.
  snippet_sound_no_library,
  /// The format is none of those that are allowed.
  snippet_sound_no_decoder,
  /// The caller asked to stop.
  snippet_sound_stopped,
  /// The bytes cannot be decoded.
  snippet_sound_damaged
};

/// Bytes that are read where they are needed.
struct snippet_sound_source {
  int64_t byte_count;
  /// Reads up to `count` bytes at `offset`; fewer only at the end, and none after a failure.
  int64_t (*read)(void *context, void *buffer, int64_t count, int64_t offset);
  void *context;
  /// For the reading; 0 at first.
  int64_t offset;
};

/// What a header says, before anything is decoded.
struct snippet_sound_header {
  int64_t frame_count;
  int sample_rate;
  int channel_count;
};

/// Asked after each piece; anything but 0 stops. So many parts of the recording are done by then.
typedef int (*snippet_sound_stop)(void *context, int found_count);

/// The words for a failure.
struct snippet_sound_reason {
  char text[200];
};

/// The version of the library; NULL without it.
const char *snippet_sound_version(void);

/// Whether the library decodes a major format, such as 0x230000 for MPEG audio.
int snippet_sound_has_format(int major_format);

/// Finds the lowest and the highest sample, of all channels, of equal parts of a recording.
///
/// Full scale is 1. `lowest` and `highest` have room for `bucket_count` numbers; `made_count` is
/// fewer when there are fewer frames than that. Whoever is asked whether to stop may read the header
/// and the parts that are done; of one whose samples are no numbers the lowest is above the highest.
/// A recording of unknown length may be read twice, and begin anew with its parts.
int snippet_sound_peaks(struct snippet_sound_source *source, snippet_sound_stop stop,
                        void *context, int bucket_count, float *lowest, float *highest,
                        int *made_count, struct snippet_sound_header *header,
                        struct snippet_sound_reason *reason);

#endif
