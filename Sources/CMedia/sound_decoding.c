#include "libav_decoding.h"

#include <stdio.h>
#include <string.h>

#ifdef SNIPPET_MEDIA

#include "sound_peaks.h"
#include "sound_stream.h"

int snippet_libav_start(void) { return libav_library_get() ? 0 : -1; }

int snippet_libav_interface(void) { return LIBAVFORMAT_VERSION_MAJOR; }

const char *snippet_libav_version(void) {
  const struct libav_library *library = libav_library_get();
  return library ? library->av_version_info() : NULL;
}

int snippet_libav_decodes(const char *demuxer, const char *decoder) {
  const struct libav_library *library = libav_library_get();
  return library && (!demuxer || library->av_find_input_format(demuxer)) &&
         library->avcodec_find_decoder_by_name(decoder);
}

// The number of frames that may be missing; below 0 for any number. Plain samples, FLAC and what is
// known to be cut are shown as far as they go, and a file whose recorder crashed may announce any
// number of frames. Other formats are measured from their end, or estimated.
static int64_t allowance(const struct snippet_sound_request *request, int64_t announced) {
  // Announced by the input, by the output, or in rounded milliseconds.
  int is_indexed =
      strcmp(request->demuxer, "mov") == 0 || strcmp(request->demuxer, "matroska") == 0;
  return is_indexed && !request->is_cut ? announced / 50 + 16384 : -1;
}

// Decodes all frames once, into as many parts as were announced. Returns a `snippet_libav_status`.
static int pass(struct sound_stream *stream, const struct snippet_sound_request *request,
                struct sound_peaks *peaks, struct snippet_sound_header *header,
                struct snippet_libav_reason *reason) {
  int64_t known_count = peaks->frame_count;
  int status = sound_stream_open(stream, request->demuxer, reason);
  int64_t announced = known_count;
  while (status == snippet_libav_done && sound_stream_next(stream)) {
    if (header->sample_rate == 0) {
      header->sample_rate = stream->frame->sample_rate;
      header->channel_count = stream->frame->ch_layout.nb_channels;
      if (header->sample_rate < 1) break;
    }
    if (stream->found_count == 0 && peaks->frame == 0) {
      if (known_count < 0) announced = sound_stream_announced(stream, header->sample_rate);
      if (announced < 0 && request->seconds > 0 && request->seconds < 1e9)
        announced = (int64_t)(request->seconds * header->sample_rate);
      // If the length is unknown, this pass finds it out.
      peaks->frame_count = announced > 0 ? announced : INT64_MAX;
      peaks->bucket_count = peaks->frame_count < request->bucket_count ? (int)peaks->frame_count
                                                                       : request->bucket_count;
      header->frame_count = peaks->frame_count;
      sound_peaks_begin(peaks);
    }
    sound_peaks_add(peaks, stream->frame);
    stream->found_count = peaks->bucket;
  }
  if (status != snippet_libav_done) return status;
  if (stream->is_stopped) return snippet_libav_stopped;
  if (peaks->frame == 0 && (stream->packet_count > 0 || request->seconds != 0)) {
    if (stream->last_error == 0 ||
        stream->library->av_strerror(stream->last_error, reason->text, sizeof reason->text) != 0)
      snprintf(reason->text, sizeof reason->text, "there is nothing to hear in it");
    return snippet_libav_damaged;
  }
  int64_t missing_count = allowance(request, announced);
  if (announced > 0 && missing_count >= 0 && peaks->frame < announced - missing_count) {
    snprintf(reason->text, sizeof reason->text, "it ends after %lld of %lld frames",
             (long long)peaks->frame, (long long)announced);
    return snippet_libav_damaged;
  }
  // A recording with a gap is worth showing, as is one whose last packet is cut; noise is not.
  if (stream->damaged_count > 1 + stream->packet_count / 8) {
    stream->library->av_strerror(stream->last_error, reason->text, sizeof reason->text);
    return snippet_libav_damaged;
  }
  return snippet_libav_done;
}

static int run_pass(const struct libav_library *library, struct snippet_sound_source *source,
                    const struct snippet_sound_request *request, snippet_sound_stop stop,
                    void *context, struct sound_peaks *peaks, struct snippet_sound_header *header,
                    struct snippet_libav_reason *reason) {
  struct sound_stream stream = {
      .library = library, .source = source, .stop = stop, .context = context};
  int status = pass(&stream, request, peaks, header, reason);
  sound_stream_close(&stream);
  return status;
}

int snippet_sound_peaks(struct snippet_sound_source *source,
                        const struct snippet_sound_request *request, snippet_sound_stop stop,
                        void *context, float *lowest, float *highest, int *made_count,
                        struct snippet_sound_header *header, struct snippet_libav_reason *reason) {
  const struct libav_library *library = libav_library_get();
  *made_count = 0;
  memset(header, 0, sizeof *header);
  reason->text[0] = 0;
  if (!library) return snippet_libav_no_library;
  struct sound_peaks peaks = {.lowest = lowest, .highest = highest, .frame_count = -1};
  int status = run_pass(library, source, request, stop, context, &peaks, header, reason);
  int64_t read = peaks.frame;
  int64_t distance = read > peaks.frame_count ? read - peaks.frame_count : peaks.frame_count - read;
  // A part that ends less than a quarter too early or too late looks the same.
  if (status == snippet_libav_done && read > 0 &&
      (peaks.bucket_count < request->bucket_count || distance > read / request->bucket_count / 4) &&
      distance > 0) {
    peaks.frame_count = read;
    peaks.frame = 0;
    status = run_pass(library, source, request, stop, context, &peaks, header, reason);
  }
  if (status != snippet_libav_done) return status;
  for (int bucket = 0; bucket < peaks.bucket_count; bucket++)
    if (lowest[bucket] > highest[bucket]) lowest[bucket] = highest[bucket] = 0;
  *made_count = peaks.bucket_count;
  header->frame_count = peaks.frame;
  return snippet_libav_done;
}

#else

int snippet_libav_start(void) { return -1; }

int snippet_libav_interface(void) { return 0; }

const char *snippet_libav_version(void) { return NULL; }

int snippet_libav_decodes(const char *demuxer, const char *decoder) {
  (void)demuxer;
  (void)decoder;
  return 0;
}

int snippet_sound_peaks(struct snippet_sound_source *source,
                        const struct snippet_sound_request *request, snippet_sound_stop stop,
                        void *context, float *lowest, float *highest, int *made_count,
                        struct snippet_sound_header *header, struct snippet_libav_reason *reason) {
  (void)source;
  (void)request;
  (void)stop;
  (void)context;
  (void)lowest;
  (void)highest;
  (void)header;
  *made_count = 0;
  reason->text[0] = 0;
  return snippet_libav_no_library;
}

#endif
