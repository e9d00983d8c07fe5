#ifndef SNIPPET_SHARED_HEAP_H
#define SNIPPET_SHARED_HEAP_H

/// Has what this process lets go of go back to the system soon, where the system's library is glibc.
///
/// That gives each thread a heap of its own, and by and by takes even large blobs out of it: loaded by
/// one thread and let go of by another, they leave gaps of some 45 MB beside a cache of 64. Now there
/// is one heap, and whatever has more than 64 KiB stands outside of it.
void snippet_heap_share(void);

/// Gives back to the system what is not in use, where the system's library is glibc.
void snippet_heap_trim(void);

#endif
