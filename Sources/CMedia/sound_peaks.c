#ifdef SNIPPET_MEDIA

#include "sound_peaks.h"

#include <math.h>
#include <stdint.h>

enum { lane_count = 8 };

// Independent lanes, so that several samples are compared at a time. A value that is not a number
// compares as false, which leaves it out.
#define FIND_EXTREMES(name, type, lowest_value, highest_value, scaled)                \
  static void name(const void *start, int64_t count, float *lowest, float *highest) { \
    const type *samples = start;                                                      \
    type low[lane_count], high[lane_count];                                           \
    for (int lane = 0; lane < lane_count; lane++) {                                   \
      low[lane] = highest_value;                                                      \
      high[lane] = lowest_value;                                                      \
    }                                                                                 \
    int64_t index = 0;                                                                \
    for (; index + lane_count <= count; index += lane_count)                          \
      for (int lane = 0; lane < lane_count; lane++) {                                 \
        type sample = samples[index + lane];                                          \
        low[lane] = sample < low[lane] ? sample : low[lane];                          \
        high[lane] = sample > high[lane] ? sample : high[lane];                       \
      }                                                                               \
    for (; index < count; index++) {                                                  \
      low[0] = samples[index] < low[0] ? samples[index] : low[0];                     \
      high[0] = samples[index] > high[0] ? samples[index] : high[0];                  \
    }                                                                                 \
    for (int lane = 1; lane < lane_count; lane++) {                                   \
      low[0] = low[lane] < low[0] ? low[lane] : low[0];                               \
      high[0] = high[lane] > high[0] ? high[lane] : high[0];                          \
    }                                                                                 \
    if (low[0] > high[0]) return;                                                     \
    float low_sample = (float)(scaled(low[0])), high_sample = (float)(scaled(high[0])); \
    *lowest = low_sample < *lowest ? low_sample : *lowest;                            \
    *highest = high_sample > *highest ? high_sample : *highest;                       \
  }

#define FROM_U8(sample) (((int)(sample) - 128) / 128.0)
#define FROM_S16(sample) ((sample) / 32768.0)
#define FROM_S32(sample) ((sample) / 2147483648.0)
#define FROM_S64(sample) ((double)(sample) / 9223372036854775808.0)
#define AS_IT_IS(sample) (sample)

FIND_EXTREMES(find_u8, uint8_t, 0, UINT8_MAX, FROM_U8)
FIND_EXTREMES(find_s16, int16_t, INT16_MIN, INT16_MAX, FROM_S16)
FIND_EXTREMES(find_s32, int32_t, INT32_MIN, INT32_MAX, FROM_S32)
FIND_EXTREMES(find_s64, int64_t, INT64_MIN, INT64_MAX, FROM_S64)
FIND_EXTREMES(find_float, float, -INFINITY, INFINITY, AS_IT_IS)
FIND_EXTREMES(find_double, double, -INFINITY, INFINITY, AS_IT_IS)

struct layout {
  void (*find)(const void *, int64_t, float *, float *);
  int byte_count;
  int is_planar;
};

static struct layout layout_of(int format) {
  switch (format) {
    case AV_SAMPLE_FMT_U8: return (struct layout){find_u8, 1, 0};
    case AV_SAMPLE_FMT_U8P: return (struct layout){find_u8, 1, 1};
    case AV_SAMPLE_FMT_S16: return (struct layout){find_s16, 2, 0};
    case AV_SAMPLE_FMT_S16P: return (struct layout){find_s16, 2, 1};
    case AV_SAMPLE_FMT_S32: return (struct layout){find_s32, 4, 0};
    case AV_SAMPLE_FMT_S32P: return (struct layout){find_s32, 4, 1};
    case AV_SAMPLE_FMT_S64: return (struct layout){find_s64, 8, 0};
    case AV_SAMPLE_FMT_S64P: return (struct layout){find_s64, 8, 1};
    case AV_SAMPLE_FMT_FLT: return (struct layout){find_float, 4, 0};
    case AV_SAMPLE_FMT_FLTP: return (struct layout){find_float, 4, 1};
    case AV_SAMPLE_FMT_DBL: return (struct layout){find_double, 8, 0};
    case AV_SAMPLE_FMT_DBLP: return (struct layout){find_double, 8, 1};
    default: return (struct layout){NULL, 0, 0};
  }
}

// The end of a part, in 128 bits, since a header may claim any number of frames.
static int64_t end_of(const struct sound_peaks *peaks) {
  return (int64_t)((__int128)peaks->frame_count * (peaks->bucket + 1) / peaks->bucket_count);
}

void sound_peaks_begin(struct sound_peaks *peaks) {
  peaks->bucket = 0;
  peaks->frame = 0;
  for (int bucket = 0; bucket < peaks->bucket_count; bucket++) {
    peaks->lowest[bucket] = INFINITY;
    peaks->highest[bucket] = -INFINITY;
  }
}

static void widen(struct sound_peaks *peaks, const AVFrame *frame, struct layout layout,
                  int64_t start, int64_t count) {
  float *lowest = &peaks->lowest[peaks->bucket];
  float *highest = &peaks->highest[peaks->bucket];
  int channel_count = frame->ch_layout.nb_channels;
  if (!layout.is_planar) {
    const uint8_t *samples = frame->extended_data[0];
    layout.find(samples + start * channel_count * layout.byte_count, count * channel_count, lowest,
                highest);
    return;
  }
  for (int channel = 0; channel < channel_count; channel++)
    layout.find(frame->extended_data[channel] + start * layout.byte_count, count, lowest, highest);
}

void sound_peaks_add(struct sound_peaks *peaks, const AVFrame *frame) {
  struct layout layout = layout_of(frame->format);
  int64_t done = 0;
  while (layout.find && done < frame->nb_samples) {
    int is_last = peaks->bucket + 1 >= peaks->bucket_count;
    int64_t room = end_of(peaks) - peaks->frame;
    if (!is_last && room <= 0) {
      peaks->bucket++;
      continue;
    }
    int64_t rest = frame->nb_samples - done;
    int64_t taken = is_last || rest < room ? rest : room;
    widen(peaks, frame, layout, done, taken);
    peaks->frame += taken;
    done += taken;
  }
}

#endif
