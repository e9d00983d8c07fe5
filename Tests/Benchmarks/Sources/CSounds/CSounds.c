#include "CSounds.h"

#include <sndfile.h>
#include <stdlib.h>

long long sounds_read_once(const char *path) {
  SF_INFO info = {0};
  SNDFILE *file = sf_open(path, SFM_READ, &info);
  if (!file) return -1;
  enum { sample_count = 1 << 15 };
  float *samples = malloc(sample_count * sizeof *samples);
  long long total = 0;
  sf_count_t count;
  while ((count = sf_readf_float(file, samples, sample_count / info.channels)) > 0) total += count;
  free(samples);
  sf_close(file);
  return total;
}
