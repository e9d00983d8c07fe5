#ifndef SNIPPET_SOUND_STREAM_H
#define SNIPPET_SOUND_STREAM_H

#include "include/libav_decoding.h"
#include "libav_library.h"

// A recording being decoded.
struct sound_stream {
  const struct libav_library *library;
  struct snippet_sound_source *source;
  snippet_sound_stop stop;
  void *context;
  // The number of finished parts, for the callback.
  int found_count;
  int is_stopped;

  AVFormatContext *format;
  AVIOContext *bytes;
  AVCodecContext *codec;
  AVPacket *packet;
  AVFrame *frame;
  AVStream *track;
  int has_ended;
  int packet_count;
  int damaged_count;
  int last_error;
};

// Opens the track of sound. Returns a `snippet_libav_status`; close the stream whatever it is.
int sound_stream_open(struct sound_stream *stream, const char *demuxer,
                      struct snippet_libav_reason *reason);

// Decodes until there are samples, which are then in `frame`. Returns 1 for a frame, 0 at the end
// and when it was stopped.
int sound_stream_next(struct sound_stream *stream);

// The number of frames that the file announces, at its playing rate; below 0 if it announces none.
int64_t sound_stream_announced(const struct sound_stream *stream, int sample_rate);

void sound_stream_close(struct sound_stream *stream);

#endif
