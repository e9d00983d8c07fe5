#ifndef SNIPPET_LIBAV_DECODING_H
#define SNIPPET_LIBAV_DECODING_H

#include <stddef.h>
#include <stdint.h>

/// Finds the peaks of recordings, in constant memory, and decodes Windows bitmaps, with libav, the
/// libraries of FFmpeg.
///
/// They are loaded at their first use. Their structures change with the number in the names of
/// their files. So this is compiled against their headers, and only files with exactly that number
/// are loaded: a program that was built on one system and runs on another finds none rather than
/// wrong ones. Without the libraries every call returns `snippet_libav_no_library`.

enum snippet_libav_status {
  snippet_libav_done = 0,
  /// The libraries are missing or not built in.
  snippet_libav_no_library,
  /// There is no allowed decoder.
  snippet_libav_no_decoder,
  /// The caller asked to stop.
  snippet_libav_stopped,
  /// The bytes cannot be decoded.
  snippet_libav_damaged
};

/// Bytes read on demand.
struct snippet_sound_source {
  int64_t byte_count;
  /// Reads up to `count` bytes at `offset`; fewer only at the end, and none after a failure.
  int64_t (*read)(void *context, void *buffer, int64_t count, int64_t offset);
  void *context;
  /// The position of the reader; 0 at first.
  int64_t offset;
};

/// The reason of a failure, in words.
struct snippet_libav_reason {
  char text[200];
};

/// A request for a recording.
struct snippet_sound_request {
  /// The demuxer to use; no other one is tried.
  const char *demuxer;
  /// The playing time if the demuxer does not know it; below 0 if it is unknown.
  double seconds;
  /// The number of parts.
  int bucket_count;
  /// Whether its end is known to be missing; then it may have any number of frames.
  int is_cut;
};

/// The properties of a recording.
struct snippet_sound_header {
  /// As announced, until all frames are decoded.
  int64_t frame_count;
  int sample_rate;
  int channel_count;
};

/// Called repeatedly with the number of finished parts; any result but 0 stops.
typedef int (*snippet_sound_stop)(void *context, int found_count);

/// Loads the libraries once; further calls do nothing.
///
/// Returns 0 when they are there.
int snippet_libav_start(void);

/// The version of the libraries; NULL if they are missing.
const char *snippet_libav_version(void);

/// The number of the libavformat that this was compiled for; 0 if it was compiled without.
int snippet_libav_interface(void);

/// Whether there is a demuxer and a decoder of these names, such as "mov" and "aac"; a decoder alone
/// where the demuxer is NULL.
int snippet_libav_decodes(const char *demuxer, const char *decoder);

/// Finds the lowest and the highest sample, of all channels, of equal parts of a recording.
///
/// Full scale is 1. `lowest` and `highest` have room for as many numbers as there are parts;
/// `made_count` is lower when there are fewer frames than that. The callback may read the header
/// and the finished parts; in a part whose samples are not numbers, the lowest is above the
/// highest. A recording that turns out longer or shorter than announced is read twice, and its
/// parts begin anew.
int snippet_sound_peaks(struct snippet_sound_source *source,
                        const struct snippet_sound_request *request, snippet_sound_stop stop,
                        void *context, float *lowest, float *highest, int *made_count,
                        struct snippet_sound_header *header, struct snippet_libav_reason *reason);

/// A decoded Windows bitmap (BMP).
struct snippet_bitmap {
  int width;
  int height;
  /// 3 for red, green and blue; 4 with transparency, not premultiplied.
  ///
  /// A bitmap that would be entirely invisible has no transparency.
  int channel_count;
  void *decoder;
};

/// Decodes a bitmap in memory, after copying it.
///
/// Close it, whatever the status is.
int snippet_bitmap_open(const void *bytes, size_t byte_count, int64_t maximum_pixel_count,
                        struct snippet_bitmap *bitmap, struct snippet_libav_reason *reason);

/// Writes a row, counted from the top, as one byte for each channel of each pixel.
void snippet_bitmap_row(const struct snippet_bitmap *bitmap, int y, uint8_t *row);

void snippet_bitmap_close(struct snippet_bitmap *bitmap);

#endif
