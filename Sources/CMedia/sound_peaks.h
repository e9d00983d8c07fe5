#ifndef SNIPPET_SOUND_PEAKS_H
#define SNIPPET_SOUND_PEAKS_H

#include "libav_library.h"

// The lowest and the highest samples of equal parts, as frames arrive.
struct sound_peaks {
  float *lowest;
  float *highest;
  int bucket_count;
  // The expected number of frames.
  int64_t frame_count;
  int bucket;
  int64_t frame;
};

void sound_peaks_begin(struct sound_peaks *peaks);

// Adds decoded frames. Those beyond the announced number belong to the last part.
void sound_peaks_add(struct sound_peaks *peaks, const AVFrame *frame);

#endif
