#ifndef CSOUNDS_H
#define CSOUNDS_H

/// Reads all samples of a recording once; returns how many frames it has, or -1.
long long sounds_read_once(const char *path);

#endif
