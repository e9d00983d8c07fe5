#ifndef SNIPPET_LIBAV_DECODING_H
#define SNIPPET_LIBAV_DECODING_H

#include <stddef.h>
#include <stdint.h>

/// Finds the peaks of recordings, in constant memory, and decodes bitmaps of Windows, with libav, the
/// libraries of FFmpeg.
///
/// They are loaded when they are first used. Their structures change with the number in the names of
/// their files, so what is called here is compiled against their headers, and the files of just that
/// number are loaded: a program that was built on one system and runs on another finds none, rather
/// than wrong ones. Without the libraries every call answers `snippet_libav_no_library`.

enum snippet_libav_status {
  snippet_libav_done = 0,
  /// The libraries are not there, or not built in.
  snippet_libav_no_library,
  /// There is no decoder among those that are allowed.
  snippet_libav_no_decoder,
  /// The caller asked to stop.
  snippet_libav_stopped,
  /// The bytes cannot be decoded.
  snippet_libav_damaged
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

/// The words for a failure.
struct snippet_libav_reason {
  char text[200];
};

/// What is asked of a recording.
struct snippet_sound_request {
  /// Which of libav's demuxers takes it apart; no other one is tried.
  const char *demuxer;
  /// How long it plays, where the demuxer does not tell; below 0 where nobody knows.
  double seconds;
  /// How many parts.
  int bucket_count;
};

/// What is known of a recording.
struct snippet_sound_header {
  /// As announced, until all are decoded.
  int64_t frame_count;
  int sample_rate;
  int channel_count;
};

/// Asked again and again; anything but 0 stops. So many parts of the recording are done by then.
typedef int (*snippet_sound_stop)(void *context, int found_count);

/// Loads the libraries once; any number of calls are one. 0 when they are there.
int snippet_libav_start(void);

/// The version of the libraries; NULL where they are not there.
const char *snippet_libav_version(void);

/// The number of the libavformat that this was compiled for; 0 where it was compiled without.
int snippet_libav_interface(void);

/// Whether there is a demuxer and a decoder of these names, such as "mov" and "aac"; a decoder alone
/// where the demuxer is NULL.
int snippet_libav_decodes(const char *demuxer, const char *decoder);

/// Finds the lowest and the highest sample, of all channels, of equal parts of a recording.
///
/// Full scale is 1. `lowest` and `highest` have room for as many numbers as there are parts to be;
/// `made_count` is fewer when there are fewer frames than that. Whoever is asked whether to stop may
/// read the header and the parts that are done; of one whose samples are no numbers the lowest is
/// above the highest. A recording that turns out longer or shorter than announced is read twice,
/// and begins anew with its parts.
int snippet_sound_peaks(struct snippet_sound_source *source,
                        const struct snippet_sound_request *request, snippet_sound_stop stop,
                        void *context, float *lowest, float *highest, int *made_count,
                        struct snippet_sound_header *header, struct snippet_libav_reason *reason);

/// A bitmap of Windows (BMP) that is decoded.
struct snippet_bitmap {
  int width;
  int height;
  /// 3 for red, green and blue; 4 with transparency, by which they are not multiplied. What would be
  /// invisible everywhere has none.
  int channel_count;
  void *decoder;
};

/// Decodes a bitmap in memory, which is copied.
///
/// Close it, whatever the status is.
int snippet_bitmap_open(const void *bytes, size_t byte_count, int64_t maximum_pixel_count,
                        struct snippet_bitmap *bitmap, struct snippet_libav_reason *reason);

/// Writes a row, counted from the top, as one byte for each channel of each pixel.
void snippet_bitmap_row(const struct snippet_bitmap *bitmap, int y, uint8_t *row);

void snippet_bitmap_close(struct snippet_bitmap *bitmap);

#endif
