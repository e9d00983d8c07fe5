#include "sound_decoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SNIPPET_MEDIA

#include <math.h>
#include <sndfile.h>

static sf_count_t length(void *data) { return ((struct snippet_sound_source *)data)->byte_count; }

static sf_count_t tell(void *data) { return ((struct snippet_sound_source *)data)->offset; }

static sf_count_t seek(sf_count_t offset, int whence, void *data) {
  struct snippet_sound_source *source = data;
  int64_t base = whence == SEEK_CUR ? source->offset : whence == SEEK_END ? source->byte_count : 0;
  int64_t place;
  // Offsets come out of files.
  if (__builtin_add_overflow(base, offset, &place) || place < 0) return -1;
  source->offset = place;
  return place;
}

static sf_count_t read_bytes(void *buffer, sf_count_t count, void *data) {
  struct snippet_sound_source *source = data;
  if (count <= 0 || source->offset >= source->byte_count) return 0;
  int64_t rest = source->byte_count - source->offset;
  int64_t read = source->read(source->context, buffer, count < rest ? count : rest, source->offset);
  if (read < 0) return 0;
  source->offset += read;
  return read;
}

static sf_count_t write_bytes(const void *buffer, sf_count_t count, void *data) {
  (void)buffer;
  (void)count;
  (void)data;
  return 0;
}

const char *snippet_sound_version(void) { return sf_version_string(); }

// Formats that a store knows; the library has some twenty more, which few look after.
static int is_allowed(int format) {
  switch (format & SF_FORMAT_TYPEMASK) {
    case SF_FORMAT_WAV:
    case SF_FORMAT_WAVEX:
    case SF_FORMAT_RF64:
    case SF_FORMAT_AIFF:
    case SF_FORMAT_CAF:
    case SF_FORMAT_FLAC:
    case SF_FORMAT_OGG:
    case SF_FORMAT_MPEG:
      return 1;
    default:
      return 0;
  }
}

int snippet_sound_has_format(int major_format) {
  int count = 0;
  sf_command(NULL, SFC_GET_FORMAT_MAJOR_COUNT, &count, sizeof count);
  for (int index = 0; index < count; index++) {
    SF_FORMAT_INFO info = {.format = index};
    if (sf_command(NULL, SFC_GET_FORMAT_MAJOR, &info, sizeof info) == 0 &&
        info.format == major_format)
      return 1;
  }
  return 0;
}

static int open_sound(struct snippet_sound_source *source, SNDFILE **file, SF_INFO *info,
                      struct snippet_sound_header *header, struct snippet_sound_reason *reason) {
  static SF_VIRTUAL_IO calls = {length, seek, read_bytes, write_bytes, tell};
  memset(info, 0, sizeof *info);
  memset(header, 0, sizeof *header);
  reason->text[0] = 0;
  source->offset = 0;
  *file = sf_open_virtual(&calls, SFM_READ, info, source);
  if (!*file) {
    int error = sf_error(NULL);
    snprintf(reason->text, sizeof reason->text, "%s", sf_strerror(NULL));
    return error == SF_ERR_UNRECOGNISED_FORMAT ? snippet_sound_no_decoder : snippet_sound_damaged;
  }
  if (!is_allowed(info->format)) {
    sf_close(*file);
    return snippet_sound_no_decoder;
  }
  if (info->channels < 1 || info->samplerate < 1 || info->frames < 0) {
    snprintf(reason->text, sizeof reason->text, "its header is senseless");
    sf_close(*file);
    return snippet_sound_damaged;
  }
  header->frame_count = info->frames;
  header->sample_rate = info->samplerate;
  header->channel_count = info->channels;
  return snippet_sound_done;
}

struct peaks {
  float *lowest;
  float *highest;
  int bucket_count;
  int64_t frame_count;
};

// Where a part begins: in 128 bits, since a header may claim any number of frames.
static int64_t first_frame(const struct peaks *peaks, int bucket) {
  return (int64_t)((__int128)peaks->frame_count * bucket / peaks->bucket_count);
}

enum { lane_count = 8 };

static void widen(struct peaks *peaks, int bucket, const float *samples, int64_t count) {
  float lowest[lane_count];
  float highest[lane_count];
  for (int lane = 0; lane < lane_count; lane++) {
    lowest[lane] = peaks->lowest[bucket];
    highest[lane] = peaks->highest[bucket];
  }
  // Lanes that know nothing of each other, so that several samples are compared at a time. What is
  // no number compares as false, and is thereby left out.
  int64_t index = 0;
  for (; index + lane_count <= count; index += lane_count)
    for (int lane = 0; lane < lane_count; lane++) {
      float sample = samples[index + lane];
      lowest[lane] = sample < lowest[lane] ? sample : lowest[lane];
      highest[lane] = sample > highest[lane] ? sample : highest[lane];
    }
  for (; index < count; index++) {
    lowest[0] = samples[index] < lowest[0] ? samples[index] : lowest[0];
    highest[0] = samples[index] > highest[0] ? samples[index] : highest[0];
  }
  for (int lane = 1; lane < lane_count; lane++) {
    lowest[0] = lowest[lane] < lowest[0] ? lowest[lane] : lowest[0];
    highest[0] = highest[lane] > highest[0] ? highest[lane] : highest[0];
  }
  peaks->lowest[bucket] = lowest[0];
  peaks->highest[bucket] = highest[0];
}

enum { sample_count = 1 << 15 };

// Reads all frames once. Returns how many there were, or -1 when asked to stop.
static int64_t pass(SNDFILE *file, int channel_count, struct peaks *peaks, float *samples,
                    snippet_sound_stop stop, void *context) {
  for (int bucket = 0; bucket < peaks->bucket_count; bucket++) {
    peaks->lowest[bucket] = INFINITY;
    peaks->highest[bucket] = -INFINITY;
  }
  int64_t frame = 0;
  int bucket = 0;
  int64_t end = first_frame(peaks, 1);
  for (;;) {
    if (stop(context, bucket)) return -1;
    sf_count_t count = sf_readf_float(file, samples, sample_count / channel_count);
    if (count <= 0) return frame;
    const float *next = samples;
    while (count > 0) {
      while (frame >= end && bucket + 1 < peaks->bucket_count) {
        bucket++;
        end = first_frame(peaks, bucket + 1);
      }
      // More frames than were announced all belong to the last part.
      int64_t taken = bucket + 1 < peaks->bucket_count && end - frame < count ? end - frame : count;
      widen(peaks, bucket, next, taken * channel_count);
      next += taken * channel_count;
      frame += taken;
      count -= taken;
    }
  }
}

// Whether what was read differs from what was announced as it may: a recording in MP3 frames may
// only be guessed at beforehand.
static int may_differ(const SF_INFO *info) {
  return (info->format & SF_FORMAT_TYPEMASK) == SF_FORMAT_MPEG || info->frames == SF_COUNT_MAX;
}

static int find_peaks(SNDFILE *file, const SF_INFO *info, struct peaks *peaks, float *samples,
                      snippet_sound_stop stop, void *context,
                      struct snippet_sound_reason *reason) {
  int64_t read = pass(file, info->channels, peaks, samples, stop, context);
  if (read >= 0 && read != peaks->frame_count && may_differ(info)) {
    if (read == 0 || sf_seek(file, 0, SEEK_SET) != 0) {
      snprintf(reason->text, sizeof reason->text, "there is nothing to hear in it");
      return snippet_sound_damaged;
    }
    peaks->frame_count = read;
    if (read < peaks->bucket_count) peaks->bucket_count = (int)read;
    int64_t again = pass(file, info->channels, peaks, samples, stop, context);
    read = again < 0 ? again : read;
  }
  if (read < 0) return snippet_sound_stopped;
  if (sf_error(file) != SF_ERR_NO_ERROR) {
    snprintf(reason->text, sizeof reason->text, "%s", sf_strerror(file));
    return snippet_sound_damaged;
  }
  if (read < peaks->frame_count) {
    snprintf(reason->text, sizeof reason->text, "it ends after %lld of %lld frames",
             (long long)read, (long long)peaks->frame_count);
    return snippet_sound_damaged;
  }
  for (int bucket = 0; bucket < peaks->bucket_count; bucket++)
    if (peaks->lowest[bucket] > peaks->highest[bucket])
      peaks->lowest[bucket] = peaks->highest[bucket] = 0;
  return snippet_sound_done;
}

int snippet_sound_peaks(struct snippet_sound_source *source, snippet_sound_stop stop,
                        void *context, int bucket_count, float *lowest, float *highest,
                        int *made_count, struct snippet_sound_header *header,
                        struct snippet_sound_reason *reason) {
  SNDFILE *file = NULL;
  SF_INFO info;
  *made_count = 0;
  int status = open_sound(source, &file, &info, header, reason);
  if (status != snippet_sound_done) return status;
  struct peaks peaks = {lowest, highest, bucket_count, info.frames};
  if (info.frames < bucket_count) peaks.bucket_count = (int)info.frames;
  if (peaks.bucket_count > 0) {
    float *samples = malloc(sample_count * sizeof *samples);
    status = samples ? find_peaks(file, &info, &peaks, samples, stop, context, reason)
                     : snippet_sound_damaged;
    free(samples);
  }
  sf_close(file);
  if (status == snippet_sound_done) {
    *made_count = peaks.bucket_count;
    header->frame_count = peaks.frame_count;
  }
  return status;
}

#else

const char *snippet_sound_version(void) { return NULL; }

int snippet_sound_has_format(int major_format) {
  (void)major_format;
  return 0;
}

int snippet_sound_peaks(struct snippet_sound_source *source, snippet_sound_stop stop,
                        void *context, int bucket_count, float *lowest, float *highest,
                        int *made_count, struct snippet_sound_header *header,
                        struct snippet_sound_reason *reason) {
  (void)source;
  (void)stop;
  (void)context;
  (void)bucket_count;
  (void)lowest;
  (void)highest;
  (void)header;
  *made_count = 0;
  reason->text[0] = 0;
  return snippet_sound_no_library;
}

#endif
