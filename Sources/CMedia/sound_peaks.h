#ifndef SNIPPET_SOUND_PEAKS_H
#define SNIPPET_SOUND_PEAKS_H

#include "libav_library.h"

// The lowest and the highest samples of equal parts, as frames come in.
struct sound_peaks {
  float *lowest;
  float *highest;
  int bucket_count;
  // How many frames there are to be.
  int64_t frame_count;
  int bucket;
  int64_t frame;
};

void sound_peaks_begin(struct sound_peaks *peaks);

// Takes in decoded frames. More than announced all belong to the last part.
void sound_peaks_add(struct sound_peaks *peaks, const AVFrame *frame);

#endif
