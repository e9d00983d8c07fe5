#ifndef SNIPPET_SOUND_STREAM_H
#define SNIPPET_SOUND_STREAM_H

#include "include/libav_decoding.h"
#include "libav_library.h"

// A recording that is being decoded.
struct sound_stream {
  const struct libav_library *library;
  struct snippet_sound_source *source;
  snippet_sound_stop stop;
  void *context;
  // How many parts are found, for whoever is asked whether to stop.
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

// Opens the track of sound. A `snippet_libav_status`; close the stream whatever it is.
int sound_stream_open(struct sound_stream *stream, const char *demuxer,
                      struct snippet_libav_reason *reason);

// Decodes on until there are samples, which are in `frame` then. 1 for a frame, 0 at the end and
// where it was stopped.
int sound_stream_next(struct sound_stream *stream);

// How many frames the file says that there are, at the rate at which it plays; below 0 where it
// does not say.
int64_t sound_stream_announced(const struct sound_stream *stream, int sample_rate);

void sound_stream_close(struct sound_stream *stream);

#endif
